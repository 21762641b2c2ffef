import sharp from "sharp";

export interface PictureDescription {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/** Reads from a picture's header what it is. */
export async function describePicture(content: Buffer): Promise<PictureDescription> {
  const { width, height, hasAlpha } = await sharp(content).metadata();
  return { width, height, hasAlpha };
}
