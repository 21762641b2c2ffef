import type { ImageBytes } from "@model-gateway/domain/image-bytes";
import { findDecodingRisk, recogniseFormat } from "@model-gateway/domain/image-header";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { MaskForm, RasterFormat } from "@model-gateway/domain/image-profile";
import { isOpaquePng } from "@model-gateway/domain/png-opacity";
import { FairSemaphore } from "@model-gateway/runtime/fair-semaphore";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Sharp, SharpOptions } from "sharp";
import { pixelsMax } from "./inspect-image.js";

/** Node has four threads for files, name lookups and images. The other two stay free. */
const parallelMax = 2;

/** Decodes images, a few at a time. Callers take turns. */
export class ImageDecoder {
  readonly #semaphore = new FairSemaphore(parallelMax);

  /** Whether every pixel is opaque. An alpha channel does not say so, only the pixels do. */
  isOpaque(content: ImageBytes, caller: string): Promise<boolean> {
    return this.#semaphore.run(caller, async () => {
      const binary = await inSlices(content.decode(), new TimeSlice());
      const known = recogniseFormat(binary) === "png" ? await isOpaquePng(binary) : undefined;
      return known ?? hasOpaquePixels(await openChecked(binary));
    });
  }

  /** Converts an image. JPEG has no transparency, so there the background becomes white. */
  transcode(
    content: Buffer,
    { format, compression }: { readonly format: RasterFormat; readonly compression: number },
    caller: string,
  ): Promise<TranscodedImage> {
    return this.#run(caller, content, async (opened) => {
      // The orientation in the metadata is lost by the conversion, so it is applied to the pixels.
      const image = opened.autoOrient();
      // libvips accepts a quality of 1 to 100.
      const quality = Math.max(1, compression);
      const encoded = {
        png: () => image.png({ compressionLevel: 6 }),
        jpeg: () => image.flatten({ background: "white" }).jpeg({ quality }),
        webp: () => image.webp({ quality }),
      }[format]();
      const { data, info } = await encoded.toBuffer({ resolveWithObject: true });
      return { content: data, width: info.width, height: info.height };
    });
  }

  /** Encodes a mask's transparency as a PNG of its size with one 8-bit channel. */
  encodeMask(mask: ImageInput, form: GreyMaskForm, caller: string): Promise<Buffer> {
    return this.#run(caller, mask, async (image) => {
      const { data, info } = await image.extractChannel("alpha").raw().toBuffer({ resolveWithObject: true });
      const { width, height } = info;
      const alpha = await openImage(data, { raw: { width, height, channels: 1 } });
      const grey = form === "black" ? alpha : alpha.negate();
      const pixels = form === "grey" ? grey : grey.threshold(opaqueFrom);
      return pixels.toColourspace("b-w").png({ compressionLevel: 6 }).toBuffer();
    });
  }

  /** @param source Content in memory, or an input that is read when it is its turn. */
  #run<T>(caller: string, source: Buffer | ImageInput, use: (image: Sharp) => Promise<T>): Promise<T> {
    return this.#semaphore.run(caller, async () =>
      use(await openChecked(Buffer.isBuffer(source) ? source : await source.read())),
    );
  }
}

async function hasOpaquePixels(image: Sharp): Promise<boolean> {
  const { depth, hasAlpha } = await image.metadata();
  if (!hasAlpha) return true;
  // Statistics of all channels take five times as long as a look at one. Only they know 16 bits.
  if (depth !== "uchar") return (await image.stats()).isOpaque;
  return isFilled(await image.extractChannel("alpha").raw().toBuffer());
}

/** Whether every byte is 255: the first one is, and each is equal to the next. A loop would take 50 times as long. */
function isFilled(bytes: Buffer): boolean {
  return bytes[0] === 255 && bytes.subarray(1).equals(bytes.subarray(0, -1));
}

/** Half-transparent pixels of a mask without greys: from this value on they are kept. */
const opaqueFrom = 128;

export type GreyMaskForm = Exclude<MaskForm, "alpha">;

export interface TranscodedImage {
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

async function openChecked(content: Buffer): Promise<Sharp> {
  const risk = await findDecodingRisk(content);
  if (risk !== undefined) throw new Error(`The image cannot be decoded: ${risk}.`);
  return openImage(content, { limitInputPixels: pixelsMax });
}

/** sharp is loaded on demand: it takes 25 MB, and many gateways serve no images. */
async function openImage(content: Buffer, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(content, options);
}
