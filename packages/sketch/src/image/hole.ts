import { setImmediate } from "node:timers/promises";
import sharp from "sharp";
import { decode, inspect, type Raster, UnreadableImageError } from "./image-file.js";

/** The part of an image that is to be redrawn. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  /** One byte a pixel: 0 is redrawn, anything else is kept. */
  readonly alpha: Buffer;
}

/** Reads OpenAI's mask: it has the size of the first image and is fully transparent where that may change. */
export async function readMask(mask: Buffer, first: Pick<Raster, "width" | "height">): Promise<Mask> {
  const header = await inspect(mask, "mask");
  if (header.width !== first.width || header.height !== first.height) {
    const sizes = `${header.width}x${header.height}, and image[0] is ${first.width}x${first.height}`;
    throw new UnreadableImageError("mask", `must have the size of image[0]: it is ${sizes}.`);
  }
  if (!header.hasAlpha) {
    throw new UnreadableImageError("mask", "has no alpha channel: make the part to change transparent.");
  }
  const { width, height, pixels } = await decode(mask, { name: "mask", orientation: "stored" });
  const alpha = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .extractChannel("alpha")
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  return { width, height, alpha };
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box around all redrawn pixels, or undefined if the mask keeps every pixel. */
export function boundHole({ width, height, alpha }: Mask): Box | undefined {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let row = 0; row < height; row++) {
    const line = alpha.subarray(row * width, (row + 1) * width);
    const first = line.indexOf(0);
    if (first < 0) continue;
    left = Math.min(left, first);
    right = Math.max(right, line.lastIndexOf(0));
    top = top < 0 ? row : top;
    bottom = row;
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

const gridSide = 48;

/**
 * The largest fully transparent part of the box, with the aspect ratio of the box and relative to it: subjects drawn
 * there are not cut off. It is found on a coarse grid. If the mask has only specks, it is the whole box.
 */
export async function findFocus({ width, height, alpha }: Mask, box: Box): Promise<Box> {
  const cells = await sharp(alpha, { raw: { width, height, channels: 1 } })
    .extract(box)
    .resize({ width: gridSide, height: gridSide, fit: "fill", kernel: "linear" })
    .toColourspace("b-w")
    .raw()
    .toBuffer();
  const { column, row, side } = largestSquare(cells);
  if (side < 4) return { left: 0, top: 0, width: box.width, height: box.height };
  const scale = { x: box.width / gridSide, y: box.height / gridSide };
  return {
    left: Math.round((column - side + 1) * scale.x),
    top: Math.round((row - side + 1) * scale.y),
    width: Math.max(1, Math.floor(side * scale.x)),
    height: Math.max(1, Math.floor(side * scale.y)),
  };
}

/** Dynamic programming: the square that ends in a cell grows from those that end left, above and diagonally. */
function largestSquare(cells: Buffer): { column: number; row: number; side: number } {
  const sides = new Uint8Array(gridSide * gridSide);
  let best = { column: 0, row: 0, side: 0 };
  cells.forEach((kept, cell) => {
    const column = cell % gridSide;
    const row = Math.floor(cell / gridSide);
    if (kept > 2) return;
    const before = (distance: number): number =>
      column === 0 || row === 0 ? 0 : (sides[cell - distance] ?? 0);
    const side = 1 + Math.min(before(1), before(gridSide), before(gridSide + 1));
    sides[cell] = side;
    if (side > best.side) best = { column, row, side };
  });
  return best;
}

/** About two milliseconds of copying. The event loop turns between two strips. */
const stripPixels = 2 ** 18;

interface Hole {
  readonly mask: Mask;
  readonly box: Box;
}

/**
 * Copies the drawing, which has the size of the box, to where the mask is fully transparent. Kept pixels are copied
 * unchanged: compositing would round the colours of half-transparent ones.
 */
export async function fillHole(image: Raster, drawing: Buffer, hole: Hole): Promise<Raster> {
  const { width, height } = image;
  const kept = words(image.pixels);
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

/** Views the pixels as 32-bit words. A buffer that is not aligned is copied first. */
function words(pixels: Buffer): Uint32Array {
  const aligned = pixels.byteOffset % 4 === 0 ? pixels : new Uint8Array(pixels);
  return new Uint32Array(aligned.buffer, aligned.byteOffset, pixels.length / 4);
}
