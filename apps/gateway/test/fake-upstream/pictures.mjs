/** The smallest PNG there is: one transparent pixel. */
export const tinyPng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/**
 * An image of the size, format and background that is asked for.
 * @param {Readonly<Record<string, unknown>>} asked
 * @returns {Promise<Buffer>}
 */
export async function draw({ size, background, output_format }) {
  const [width, height] = String(size ?? "64x64")
    .split("x")
    .map(Number);
  const isTransparent = background === "transparent";
  return blank({
    width: width || 64,
    height: height || 64,
    channels: isTransparent ? 4 : 3,
    format: /** @type {"png" | "jpeg" | "webp"} */ (output_format ?? "png"),
  });
}

/**
 * A PNG that cannot be packed, of at least so many bytes.
 * @param {number} bytes
 * @returns {Promise<Buffer>}
 */
export async function drawNoise(bytes) {
  const { randomFillSync } = await import("node:crypto");
  const { default: sharp } = await import("sharp");
  const side = Math.ceil(Math.sqrt(bytes / 3));
  const pixels = randomFillSync(Buffer.alloc(side * side * 3));
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

/** @param {{ width: number, height: number, channels: 3 | 4, format: "png" | "jpeg" | "webp" }} asked */
async function blank({ width, height, channels, format }) {
  // Most who start an upstream never ask for an image that must be drawn.
  const { default: sharp } = await import("sharp");
  const background = { r: 0, g: 0, b: 0, ...(channels === 4 ? { alpha: 0 } : {}) };
  return sharp({ create: { width, height, channels, background } }).toFormat(format).toBuffer();
}
