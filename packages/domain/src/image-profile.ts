import type { ModelOperations, RequestBody } from "./operations.js";

/** The formats that the gateway can decode, and convert to each other. */
export const rasterFormats = ["png", "jpeg", "webp"] as const;
export type RasterFormat = (typeof rasterFormats)[number];
/** An animated gif and a vector svg are passed on as the upstream created them. */
export type ImageFormat = RasterFormat | "gif" | "svg";
export type ImageEnvelope = "b64_json" | "url";

export const mediaTypes: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  svg: "image/svg+xml",
};

export function isRaster(format: ImageFormat): format is RasterFormat {
  return format !== "gif" && format !== "svg";
}

/**
 * The form of a mask. `alpha` is OpenAI's: transparent pixels are edited. The others are greyscale images without
 * transparency. `white` and `black` name the colour of the pixels to edit, and have no greys. In `grey`, white pixels are
 * edited, black ones are kept, and those between are edited in part.
 */
export type MaskForm = "alpha" | "white" | "black" | "grey";

/** The optional parameters that a profile may accept or refuse. */
export type ImageParameter = Exclude<
  keyof RequestBody<"createImage"> | "input_fidelity",
  "model" | "prompt" | "user"
>;

/**
 * Capabilities of an image upstream. The operator configures it; it is never guessed from a model's name. The gateway
 * adds missing formats, envelopes, `n` and streams itself, and refuses every other option that is missing.
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
  /** The forms in which the upstream can return an image. The first is the callers' default. */
  readonly responseFormats: readonly ImageEnvelope[];
  /** The most images that one call can create. */
  readonly maxN: number;
  readonly maxPromptLength: number;
  readonly edits: boolean;
  /** Whether it creates nothing without an input image, such as a model that fills masks. Absent: no. */
  readonly onlyEdits?: boolean;
  readonly mask: boolean;
  /** Whether an edit may have drawings that guide it. */
  readonly markup: boolean;
  /** The most input images of one edit. */
  readonly maxImages: number;
  /** Whether the upstream itself can stream. */
  readonly streaming: boolean;
  /** Whether no image is converted that has content credentials: a conversion would remove them. Absent: it is. */
  readonly keepsCredentials?: boolean;
}

/** The operations that a model with this profile has. */
export function imageOperationsOf({
  edits,
  onlyEdits,
}: Pick<ImageProfile, "edits" | "onlyEdits">): readonly ModelOperations["image"][] {
  if (!edits) return creates;
  return onlyEdits === true ? onlyEditsImages : createsAndEdits;
}

const creates = ["createImage"] as const;
const onlyEditsImages = ["createImageEdit"] as const;
const createsAndEdits = ["createImage", "createImageEdit"] as const;

/** The formats that callers may request: the upstream's, and those that the gateway may convert them to. */
export function offeredFormats({ outputFormats, keepsCredentials }: ImageProfile): readonly ImageFormat[] {
  if (keepsCredentials === true) return outputFormats;
  return outputFormats.some(isRaster) ? [...new Set([...outputFormats, ...rasterFormats])] : outputFormats;
}
