import type { RequestBody } from "../operations.js";

export type ImageFormat = "png" | "jpeg" | "webp";
export type ImageEnvelope = "b64_json" | "url";

/** The optional parameters that a profile may accept or refuse. */
export type ImageParameter = Exclude<
  keyof RequestBody<"createImage"> | "input_fidelity",
  "model" | "prompt" | "user"
>;

/**
 * What an image upstream accepts and returns. The operator configures it; it is never guessed from a model's name. The
 * gateway adds missing formats, envelopes, `n` and streams itself, and refuses every other option that is missing.
 */
export interface ImageProfile {
  readonly name: string;
  /** The parameters that are sent to the upstream. */
  readonly parameters: readonly ImageParameter[];
  /** The literal `WIDTHxHEIGHT` accepts any size. */
  readonly sizes: readonly string[];
  /** The bounds of each side for `WIDTHxHEIGHT`, if they are known. */
  readonly sides?: { readonly min: number; readonly max: number };
  readonly qualities: readonly string[];
  /** Whether the upstream does not know `auto`, so that the parameter is left out instead. */
  readonly autoIsAbsent: boolean;
  readonly backgrounds: readonly string[];
  /** The formats that the upstream itself can create. */
  readonly outputFormats: readonly ImageFormat[];
  /** How the upstream can return an image. The first is the default of callers. */
  readonly responseFormats: readonly ImageEnvelope[];
  /** The most images that one call can create. */
  readonly maxN: number;
  readonly maxPromptLength: number;
  readonly edits: boolean;
  readonly mask: boolean;
  /** The most input images of one edit. */
  readonly maxImages: number;
  /** Whether the upstream itself can stream. */
  readonly streaming: boolean;
}
