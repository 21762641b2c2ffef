import type { FileInput } from "./image-input.js";

/* Documents, audio and video in the inputs of embedding models. Images are in `image-input.ts`. */

/** The formats of each kind. */
export const mediaFormats = {
  file: ["pdf"],
  audio: ["wav", "mp3", "flac", "ogg"],
  video: ["mp4", "mov", "webm"],
} as const;
export type MediaKind = keyof typeof mediaFormats;
export type MediaFormat = (typeof mediaFormats)[MediaKind][number];
export const mediaKinds: readonly MediaKind[] = ["file", "audio", "video"];

/** Tokens by kind. */
export type MediaTokens = Readonly<Partial<Record<MediaKind, number>>>;

/** The unit in which a kind is bounded and billed. */
export const mediaUnits = { file: "pages", audio: "seconds", video: "seconds" } as const;

/** https://www.iana.org/assignments/media-types */
export const mediaMimeTypes: Readonly<Record<MediaFormat, string>> = {
  pdf: "application/pdf",
  wav: "audio/wav",
  mp3: "audio/mpeg",
  flac: "audio/flac",
  ogg: "audio/ogg",
  mp4: "video/mp4",
  mov: "video/quicktime",
  webm: "video/webm",
};

/** A file whose container was read. */
export interface MediaInput extends FileInput {
  readonly kind: MediaKind;
  readonly format: MediaFormat;
  /** Its pages or seconds. */
  readonly amount: number;
}

/** The media of one kind that a target takes in its inputs. */
export interface MediaLimits {
  readonly formats: readonly MediaFormat[];
  readonly maxPerInput: number;
  /** The size of one file. */
  readonly maxBytes: number;
  /** The pages or seconds of one file. */
  readonly maxAmount: number;
  /** The seconds of a video with sound, if they are fewer. */
  readonly maxAmountWithSound?: number;
}

/** Absent: it does not take the kind. */
export type InputMedia = Readonly<Partial<Record<MediaKind, MediaLimits>>>;

const mediaBytesMax = 20 * 1024 * 1024;

/** The limits of a target that takes a kind, where neither its provider nor the operator sets others. */
export const defaultMediaLimits: Readonly<Record<MediaKind, MediaLimits>> = {
  file: { formats: mediaFormats.file, maxPerInput: 1, maxBytes: mediaBytesMax, maxAmount: 100 },
  audio: { formats: mediaFormats.audio, maxPerInput: 1, maxBytes: mediaBytesMax, maxAmount: 300 },
  video: { formats: mediaFormats.video, maxPerInput: 1, maxBytes: mediaBytesMax, maxAmount: 120 },
};

/** About as many tokens as models count for a page, a second of sound, and a second of video. */
const tokensPerUnit = { file: 560, audio: 32, video: 300 } as const;

/** An estimate: only the model knows the exact number of tokens. */
export function estimateMediaTokens({ kind, amount }: Pick<MediaInput, "kind" | "amount">): number {
  return Math.ceil(amount * tokensPerUnit[kind]);
}
