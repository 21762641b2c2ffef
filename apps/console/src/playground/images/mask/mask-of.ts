/** Which pixels of an image may change, painted with strokes. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points are pixels of the image. */
export type Stroke =
  | { readonly kind: "brush" | "eraser"; readonly radius: number; readonly points: readonly Point[] }
  | { readonly kind: "rectangle"; readonly from: Point; readonly to: Point };

/** One byte a pixel: 1 where the image may change. */
export type Mask = Uint8Array<ArrayBuffer>;

/** The mask that strokes paint, in their order. */
export function maskOf(strokes: readonly Stroke[], size: Size): Mask {
  const mask = new Uint8Array(size.width * size.height);
  for (const stroke of strokes) {
    if (stroke.kind === "rectangle") fillRectangle(mask, size, stroke);
    else
      for (const [at, to] of stroke.points.entries())
        paintSegment(mask, size, {
          from: stroke.points[at - 1] ?? to,
          to,
          radius: stroke.radius,
          kind: stroke.kind,
        });
  }
  return mask;
}

export interface Segment {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly kind: "brush" | "eraser";
}

/** Paints every pixel whose middle is within the radius of the line. There are no soft edges: a mask is yes or no. */
export function paintSegment(mask: Mask, { width, height }: Size, { from, to, radius, kind }: Segment): void {
  const value = kind === "brush" ? 1 : 0;
  const [left, right] = range(from.x, to.x, radius, width);
  const [top, bottom] = range(from.y, to.y, radius, height);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const square = dx * dx + dy * dy;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const along = square === 0 ? 0 : ((x - from.x) * dx + (y - from.y) * dy) / square;
      const near = Math.min(1, Math.max(0, along));
      const [offX, offY] = [x - from.x - near * dx, y - from.y - near * dy];
      if (offX * offX + offY * offY <= radius * radius) mask[y * width + x] = value;
    }
  }
}

function range(from: number, to: number, radius: number, size: number): [number, number] {
  const low = Math.floor(Math.min(from, to) - radius);
  const high = Math.ceil(Math.max(from, to) + radius);
  return [Math.max(0, low), Math.min(size - 1, high)];
}

function fillRectangle(
  mask: Mask,
  { width, height }: Size,
  { from, to }: Extract<Stroke, { kind: "rectangle" }>,
): void {
  const [left, right] = range(from.x, to.x, 0, width);
  const [top, bottom] = range(from.y, to.y, 0, height);
  for (let y = top; y <= bottom; y++) mask.fill(1, y * width + left, y * width + right + 1);
}

/** The pixels of the mask as the API wants them: transparent where the image may change, black where it stays. */
export function maskPixels(mask: Mask): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(mask.length * 4);
  for (const [at, mayChange] of mask.entries()) pixels[at * 4 + 3] = mayChange === 1 ? 0 : 255;
  return pixels;
}

/** The share of pixels that may change. */
export function paintedShare(mask: Mask): number {
  let painted = 0;
  for (const value of mask) painted += value;
  return mask.length === 0 ? 0 : painted / mask.length;
}
