import { setImmediate } from "node:timers/promises";
import type { Raster } from "./decode.js";
import type { Box } from "./hole.js";
import type { Mask } from "./read-mask.js";

/** About two milliseconds of copying; between such strips other requests get their turn. */
const stripPixels = 2 ** 18;

interface Hole {
  readonly mask: Mask;
  readonly box: Box;
}

/**
 * The picture with the drawing, which has the size of the box, where the mask is fully transparent.
 * Kept pixels are copied as they are: compositing would round the colours of half-transparent ones.
 */
export async function fillHole(picture: Raster, drawing: Buffer, hole: Hole): Promise<Raster> {
  const { width, height } = picture;
  const kept = words(picture.pixels);
  const drawn = words(drawing);
  const filled = new Uint32Array(width * height);
  const rows = Math.max(1, Math.floor(stripPixels / width));
  for (let start = 0; start < height; start += rows) {
    const end = Math.min(start + rows, height);
    filled.set(kept.subarray(start * width, end * width), start * width);
    for (let row = start; row < end; row++) redrawRow(filled, row, { drawn, ...hole });
    await setImmediate();
  }
  return { width, height, pixels: Buffer.from(filled.buffer) };
}

function redrawRow(
  filled: Uint32Array,
  row: number,
  { drawn, mask, box }: Hole & { drawn: Uint32Array },
): void {
  if (row < box.top || row >= box.top + box.height) return;
  const from = (row - box.top) * box.width;
  const to = row * mask.width + box.left;
  for (let column = 0; column < box.width; column++) {
    if (mask.alpha[to + column] === 0) filled[to + column] = drawn[from + column] ?? 0;
  }
}

/** Four bytes at a time, which needs an aligned start; a buffer that has none is copied. */
function words(pixels: Buffer): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : new Uint8Array(pixels);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, pixels.length / 4);
}
