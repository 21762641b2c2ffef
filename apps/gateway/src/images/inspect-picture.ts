import type { ImageFormat } from "../domain/image-profile.js";
import type { Picture } from "../domain/picture.js";
import { openPicture } from "./open-picture.js";

export interface PictureFacts {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** More pixels than this are refused by their header, before anything is decoded. */
export const pixelsMax = 64 * 1024 * 1024;

/**
 * Reads what a picture is from its header and its end, which costs next to nothing however large it is. Gives undefined
 * where it is no picture, or breaks off.
 */
export async function inspectPicture(picture: Picture): Promise<PictureFacts | undefined> {
  try {
    const opened = await openPicture(picture.source, { limitInputPixels: false });
    const { format, width, height, hasAlpha } = await opened.metadata();
    if (format !== picture.format || !(await isWhole(picture))) return undefined;
    return { format: picture.format, width, height, hasAlpha };
  } catch {
    return undefined;
  }
}

const pngEnd = Buffer.from("IEND");
const jpegEnd = Buffer.from([0xff, 0xd9]);
/** Cameras write notes of their own behind the end of a picture. */
const endBytes = 64 * 1024;

async function isWhole(picture: Picture): Promise<boolean> {
  const tail = await picture.tail(endBytes);
  switch (picture.format) {
    case "png":
      return tail.includes(pngEnd);
    case "jpeg":
      return tail.includes(jpegEnd);
    case "webp":
      return (await announcedBytes(picture)) <= picture.bytes;
  }
}

/** https://developers.google.com/speed/webp/docs/riff_container */
async function announcedBytes(picture: Picture): Promise<number> {
  for await (const chunk of picture.stream()) {
    const head = chunk as Buffer;
    return head.length < 8 ? Number.POSITIVE_INFINITY : head.readUInt32LE(4) + 8;
  }
  return Number.POSITIVE_INFINITY;
}
