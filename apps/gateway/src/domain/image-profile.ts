import type { RequestBody } from "../operations.js";

export type ImageFormat = "png" | "jpeg" | "webp";
export type ImageEnvelope = "b64_json" | "url";

/** The optional parameters that a profile may take or refuse. */
export type ImageParameter = Exclude<
  keyof RequestBody<"createImage"> | "input_fidelity",
  "model" | "prompt" | "user"
>;

/**
 * What an image upstream takes and returns: told by the operator, never guessed from a model's name. Formats, envelopes,
 * `n` and streams that it lacks are made by the gateway; what nobody can make is refused.
 */
export interface ImageProfile {
  readonly name: string;
  /** The parameters that are passed on. */
  readonly parameters: readonly ImageParameter[];
  /** `WIDTHxHEIGHT` stands for any size. */
  readonly sizes: readonly string[];
  /** The bounds of any size, where they are known. */
  readonly sides?: { readonly min: number; readonly max: number };
  readonly qualities: readonly string[];
  /** Whether the upstream knows no `auto`, so that it is asked for by silence. */
  readonly autoIsAbsent: boolean;
  readonly backgrounds: readonly string[];
  /** The formats that the upstream itself can make. */
  readonly outputFormats: readonly ImageFormat[];
  /** How the upstream can hand over an image; the first is what callers get who do not ask. */
  readonly responseFormats: readonly ImageEnvelope[];
  /** How many images one call can ask for. */
  readonly maxN: number;
  readonly maxPromptLength: number;
  readonly edits: boolean;
  readonly mask: boolean;
  readonly maxImages: number;
  /** Whether the upstream itself can stream. */
  readonly streaming: boolean;
}
