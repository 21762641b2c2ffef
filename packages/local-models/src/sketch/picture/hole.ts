import sharp from "sharp";
import type { Mask } from "./read-mask.js";

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest box around everything that is redrawn; none if the mask keeps it all. */
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
 * The largest clear part of the box, of the box's own shape and relative to it: what is drawn there is seen.
 * It is found on a coarse grid. A mask of specks has none, and then it is the whole box.
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

/** By the usual recurrence: a square ends in a cell if smaller ones end left of, above and between. */
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
