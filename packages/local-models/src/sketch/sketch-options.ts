export type PictureFormat = "png" | "jpeg" | "webp";

/** How a picture is drawn and written, whatever it shows. */
export interface SketchOptions {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** Transparent leaves out sky and ground; only png and webp can hold it. */
  readonly background: "transparent" | "opaque";
  readonly format: PictureFormat;
  /** OpenAI's output_compression, 0 to 100, where 100 is the best quality. Only jpeg and webp use it. */
  readonly compression?: number;
  readonly quality: "low" | "medium" | "high";
  /** Which of the n pictures of one request this is: each differs, and each is the same every time. */
  readonly index: number;
}

/**
 * A picture drawn into others.
 *
 * Without a size the result has the size of the first image. With a mask, pixels where the mask's
 * alpha is 0 are redrawn and every other pixel is the decoded first image's, byte for byte, as
 * long as no other size is asked for and the format is lossless. So a masked image is not turned
 * by its EXIF orientation, and its kept pixels stay transparent even on an opaque background.
 * An image without a mask is turned upright.
 */
export interface SketchEdit extends Omit<SketchOptions, "width" | "height"> {
  readonly width?: number;
  readonly height?: number;
  readonly images: readonly Buffer[];
  readonly mask?: Buffer;
}
