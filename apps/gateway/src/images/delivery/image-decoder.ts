import type { Sharp, SharpOptions } from "sharp";
import { isSafeToDecode } from "../../domain/image-header.js";
import type { ImageFormat } from "../../domain/image-profile.js";
import { Semaphore } from "../../domain/semaphore.js";
import { pixelsMax } from "./inspect-image.js";

/** Node has four threads for files, name lookups and images. The other two stay free. */
const parallelMax = 2;

/** Decodes images, a few at a time. */
export class ImageDecoder {
  readonly #semaphore = new Semaphore(parallelMax);

  /** Whether every pixel is opaque. An alpha channel does not say so, only the pixels do. */
  isOpaque(content: Buffer): Promise<boolean> {
    return this.#run(content, async (image) => (await image.stats()).isOpaque);
  }

  /** Converts an image. JPEG has no transparency, so there the background becomes white. */
  transcode(
    content: Buffer,
    { format, compression }: { readonly format: ImageFormat; readonly compression: number },
  ): Promise<TranscodedImage> {
    return this.#run(content, async (opened) => {
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

  async #run<T>(content: Buffer, use: (image: Sharp) => Promise<T>): Promise<T> {
    if (!isSafeToDecode(content)) throw new Error("The image has too much compressed text.");
    await this.#semaphore.acquire();
    try {
      return await use(await openImage(content, { limitInputPixels: pixelsMax }));
    } finally {
      this.#semaphore.release();
    }
  }
}

export interface TranscodedImage {
  readonly content: Buffer;
  readonly width: number;
  readonly height: number;
}

/** sharp is loaded on demand: it takes 25 MB, and many gateways serve no images. */
async function openImage(content: Buffer, options: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(content, options);
}
