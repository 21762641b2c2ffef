import type { RequestBody } from "../operations.js";

export type ImageFormat = "png" | "jpeg" | "webp";
export type ImageEnvelope = "b64_json" | "url";

/** The optional parameters that a profile may take or refuse. */
export type ImageParameter = Exclude<
  keyof RequestBody<"createImage"> | "input_fidelity",
  "model" | "prompt" | "user"
>;

/** Which parameters an image upstream takes, and what it returns: told by the operator, never guessed from a name. */
export interface ImageProfile {
  readonly name: string;
  /** The parameters that are passed on. Any other is refused, unless its value asks for what happens anyway. */
  readonly parameters: readonly ImageParameter[];
  /** `WIDTHxHEIGHT` stands for any size. */
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
  /** Whether the upstream knows no `auto`, so that it is asked for by silence. */
  readonly autoIsAbsent: boolean;
  readonly backgrounds: readonly string[];
  readonly outputFormats: readonly ImageFormat[];
  /** The first is what the upstream gives when it is not asked. */
  readonly responseFormats: readonly ImageEnvelope[];
  readonly maxN: number;
  readonly maxPromptLength: number;
  readonly edits: boolean;
  readonly mask: boolean;
  readonly maxImages: number;
  readonly streaming: boolean;
}
