import { createCipheriv } from "node:crypto";

/** A minimal PNG: one transparent pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * A black or transparent image with the requested size, format and background.
 * @param {Readonly<Record<string, unknown>>} options
 * @returns {Promise<Buffer>}
 */
export async function createSolid({ size, background: kind, output_format }) {
  const [width, height] = String(size ?? "64x64")
    .split("x")
    .map(Number);
  if (output_format === "svg")
    return Buffer.from(`<svg xmlns="${svgNamespace}" width="${width}" height="${height}"><g/></svg>`);
  const isTransparent = kind === "transparent";
  const background = { r: 0, g: 0, b: 0, ...(isTransparent ? { alpha: 0 } : {}) };
  // Loaded on demand: most tests need no image but the minimal one.
  const { default: sharp } = await import("sharp");
  return sharp({
    create: { width: width || 64, height: height || 64, channels: isTransparent ? 4 : 3, background },
  })
    .toFormat(/** @type {"png" | "jpeg" | "webp" | "gif"} */ (output_format ?? "png"))
    .toBuffer();
}

/**
 * An incompressible PNG of at least this size.
 * @param {number} bytes
 * @returns {Promise<Buffer>}
 */
export async function createNoise(bytes) {
  const { default: sharp } = await import("sharp");
  const side = Math.ceil(Math.sqrt(bytes / 3));
  // A key stream: random bytes, the same in every run.
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16));
  const pixels = cipher.update(Buffer.alloc(side * side * 3));
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}
