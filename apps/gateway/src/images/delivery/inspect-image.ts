import type { ReadBytes } from "@model-gateway/domain/image-blocks";
import { type ImageMetadata, readHeader } from "@model-gateway/domain/image-header";
import type { ImageInput } from "@model-gateway/domain/image-input";

/** An image with more pixels is refused by its header, before it is decoded. */
export const pixelsMax = 64 * 1024 * 1024;

/** An image from a caller or an upstream. */
type InspectedImage = Pick<ImageInput, "format" | "bytes" | "inspect">;

/**
 * Reads the header and the end of an image, which is cheap at any size. Undefined if the data is not an image, is
 * truncated, or cannot be given to a decoder.
 */
export async function inspectImage(image: InspectedImage): Promise<ImageMetadata | undefined> {
  return image.inspect(async (read) => {
    const metadata = await readHeader(image.format, read);
    return metadata !== undefined && (await isWhole(image, read)) ? metadata : undefined;
  });
}

const pngEnd = Buffer.from("IEND");
const jpegEnd = Buffer.from([0xff, 0xd9]);
/** Distance of the end marker from the file's end: cameras append data. */
const tailBytes = 64 * 1024;

async function isWhole({ format, bytes }: InspectedImage, read: ReadBytes): Promise<boolean> {
  const tail = await read(Math.max(0, bytes - tailBytes), tailBytes);
  switch (format) {
    case "png":
      return tail.includes(pngEnd);
    case "jpeg":
      return tail.includes(jpegEnd);
    case "webp":
      // The length in the RIFF header: https://developers.google.com/speed/webp/docs/riff_container
      return (await read(0, 8)).readUInt32LE(4) + 8 <= bytes;
  }
}
