import type { ImageFormat } from "../domain/image-profile.js";

/** How many bytes `recogniseFormat` needs to see. */
export const signatureBytes = 12;

/** Tells a picture's format by its first bytes: clients often send `application/octet-stream`. */
export function recogniseFormat(head: Buffer): ImageFormat | undefined {
  if (head.subarray(0, 8).equals(pngSignature)) return "png";
  if (head.subarray(0, 3).equals(jpegSignature)) return "jpeg";
  if (head.toString("latin1", 0, 4) === "RIFF" && head.toString("latin1", 8, 12) === "WEBP") return "webp";
  return undefined;
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff]);
