import type { ImageFormat } from "../domain/image-profile.js";
import { pixelsMax } from "./inspect-picture.js";
import { openPicture } from "./open-picture.js";

/** Writes a picture in another format. sharp does it on its own threads. Only jpeg has no transparency: it goes on white. */
export async function transcode(
  content: Buffer,
  to: { format: ImageFormat; compression: number },
): Promise<Buffer> {
  // What a camera noted of its orientation is lost in another format, so it is carried out.
  const picture = (await openPicture(content, { limitInputPixels: pixelsMax })).autoOrient();
  // libvips knows no quality of 0.
  const quality = Math.max(1, to.compression);
  switch (to.format) {
    case "png":
      return picture.png({ compressionLevel: 6 }).toBuffer();
    case "jpeg":
      return picture.flatten({ background: "white" }).jpeg({ quality }).toBuffer();
    case "webp":
      return picture.webp({ quality }).toBuffer();
  }
}
