/** An svg holds the drawing itself. Only `createImage` writes it. */
export type ImageFormat = "png" | "jpeg" | "webp" | "svg";

/** The options of an image. */
export interface SketchOptions {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** `transparent` leaves out sky and ground. A jpeg does not support it. */
  readonly background: "transparent" | "opaque";
  readonly format: ImageFormat;
  /** OpenAI's output_compression, 0 to 100, where 100 is the best quality. Only jpeg and webp use it. */
  readonly compression?: number;
  readonly quality: "low" | "medium" | "high";
  /** The position among the n images of a request. Each position has its own image, always the same one. */
  readonly index: number;
}

/**
 * The options of an edit.
 *
 * Without a size, the result has the size of the first image. With a mask, the pixels where its alpha is 0 are redrawn.
 * Every other pixel equals the decoded first image's, byte for byte, if the size stays and the format is lossless. So a
 * masked image is not rotated by its EXIF orientation, and its kept pixels stay transparent even on an opaque
 * background. An image without a mask is rotated upright.
 */
export interface SketchEdit extends Omit<SketchOptions, "width" | "height"> {
  readonly width?: number;
  readonly height?: number;
  readonly images: readonly Buffer[];
  readonly mask?: Buffer;
}

const sideMin = 16;
const sideMax = 4096;

/** Refuses options that cannot be met exactly. The gateway has checked its callers before. */
export function checkOptions(options: SketchOptions | SketchEdit): void {
  checkWhole("width", options.width ?? sideMin, [sideMin, sideMax]);
  checkWhole("height", options.height ?? sideMin, [sideMin, sideMax]);
  checkWhole("index", options.index, [0, Number.MAX_SAFE_INTEGER]);
  checkWhole("compression", options.compression ?? 100, [0, 100]);
  if ((options.width === undefined) !== (options.height === undefined)) {
    throw new RangeError("width and height must be given together.");
  }
  if (options.background === "transparent" && options.format === "jpeg") {
    throw new RangeError("A jpeg cannot be transparent: use png or webp.");
  }
  if ("images" in options && options.format === "svg") {
    throw new RangeError("An edit cannot be an svg: use png, jpeg or webp.");
  }
  if ("images" in options && options.images.length === 0) {
    throw new RangeError("An edit needs at least one image.");
  }
}

function checkWhole(name: string, value: number, [least, most]: readonly [number, number]): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be a whole number from ${least} to ${most}, not ${value}.`);
  }
}
