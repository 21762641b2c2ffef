import type { MediaFormat } from "@model-gateway/domain/media-input";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { flacSeconds, isMp3, mp3Seconds, oggSeconds, wavSeconds } from "./audio-seconds.js";
import { countPages } from "./pdf-pages.js";
import { mp4Facts, webmFacts } from "./video-seconds.js";

/** The first bytes of a file, by which its format is known. */
export const mediaSignatureBytes = 1024;

/** The container of a file, by its first bytes. Undefined: none that is known. */
export function recogniseMedia(start: Buffer): MediaFormat | undefined {
  const head = start.toString("latin1", 0, 12);
  // Readers allow other bytes before the header.
  if (start.toString("latin1", 0, mediaSignatureBytes).includes("%PDF-")) return "pdf";
  if (head.startsWith("RIFF") && head.endsWith("WAVE")) return "wav";
  if (head.startsWith("fLaC")) return "flac";
  if (head.startsWith("OggS")) return "ogg";
  if (head.slice(4, 8) === "ftyp") return head.slice(8, 10) === "qt" ? "mov" : "mp4";
  if (head.startsWith("\x1a\x45\xdf\xa3") && start.toString("latin1", 0, 64).includes("webm")) return "webm";
  return isMp3(start) ? "mp3" : undefined;
}

/** The pages or seconds of a file. */
export interface MediaMeasure {
  readonly amount: number;
  readonly hasSound: boolean;
}

/** Undefined if the container does not say it, or is damaged. */
export function* measureMedia(file: Buffer, format: MediaFormat): Steps<MediaMeasure | undefined> {
  if (format === "mp4" || format === "mov" || format === "webm") {
    const facts = yield* format === "webm" ? webmFacts(file) : mp4Facts(file);
    return facts && { amount: facts.seconds, hasSound: facts.hasSound };
  }
  const amount = yield* amountOf(file, format);
  return amount === undefined || !(amount > 0) ? undefined : { amount, hasSound: format !== "pdf" };
}

function* amountOf(file: Buffer, format: "pdf" | "wav" | "mp3" | "flac" | "ogg"): Steps<number | undefined> {
  switch (format) {
    case "pdf":
      return yield* countPages(file);
    case "wav":
      return yield* wavSeconds(file);
    case "mp3":
      return yield* mp3Seconds(file);
    case "flac":
      return flacSeconds(file);
    case "ogg":
      return yield* oggSeconds(file);
  }
}
