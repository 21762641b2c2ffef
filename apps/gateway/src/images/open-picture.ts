import type { Sharp, SharpOptions } from "sharp";

/** Opens a picture. sharp comes with the first one: it takes 25 MB, and many gateways never see a picture. */
export async function openPicture(source: string | Buffer, options?: SharpOptions): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  return sharp(source, options);
}
