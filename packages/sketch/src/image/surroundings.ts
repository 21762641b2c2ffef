import sharp from "sharp";
import type { Box } from "./hole.js";
import type { Raster } from "./image-file.js";

/** Rows and columns that are looked at. More would show no more of a colour. */
const samplesMax = 256;
/** Rows above and below that a colour is smoothed with: a snowflake must not become a stripe. */
const smoothRows = 2;

type Colour = readonly [red: number, green: number, blue: number];

/**
 * A fill for a hole: in each row, the usual colour of that row. A sky goes on behind the drawing, nothing is blurred,
 * and no colour of an object at the edge runs into the hole. The hole must already be transparent in the image.
 * Undefined if there is nothing around it.
 */
export async function extendSurroundings(image: Raster, box: Box): Promise<Buffer | undefined> {
  const columns = spread(image.width);
  const seen = spread(image.height).map((row) => usualColour(image, row, columns));
  const colours = fillGaps(seen);
  if (colours === undefined) return undefined;
  return sharp(Buffer.from(smooth(colours).flat()), {
    raw: { width: 1, height: colours.length, channels: 3 },
  })
    .resize({ width: box.width, height: image.height, fit: "fill", kernel: "cubic" })
    .extract({ left: 0, top: box.top, width: box.width, height: box.height })
    .ensureAlpha()
    .raw()
    .toBuffer();
}

/** Places that are spread evenly over a length. */
function spread(length: number): number[] {
  const count = Math.min(samplesMax, length);
  return Array.from({ length: count }, (_, index) => Math.floor(((index + 0.5) * length) / count));
}

/** The median of the visible pixels, so that a few of another colour do not count. Undefined if none is visible. */
function usualColour({ width, pixels }: Raster, row: number, columns: readonly number[]): Colour | undefined {
  const visible = columns
    .map((column) => (row * width + column) * 4)
    .filter((place) => (pixels[place + 3] ?? 0) > 127);
  if (visible.length === 0) return undefined;
  const median = (channel: number): number => {
    const values = visible.map((place) => pixels[place + channel] ?? 0).sort((one, other) => one - other);
    return values[Math.floor(values.length / 2)] ?? 0;
  };
  return [median(0), median(1), median(2)];
}

/** Rows without a colour lie between two that have one, and get a mixture of both. */
function fillGaps(seen: readonly (Colour | undefined)[]): Colour[] | undefined {
  const known = seen.flatMap((colour, row) => (colour === undefined ? [] : [{ row, colour }]));
  const [first] = known;
  if (first === undefined) return undefined;
  let above = first;
  let next = 0;
  return seen.map((colour, row) => {
    while (known[next] !== undefined && (known[next]?.row ?? 0) <= row) above = known[next++] ?? above;
    const below = known[next] ?? above;
    if (colour !== undefined || below.row === above.row) return colour ?? above.colour;
    const share = Math.max(0, row - above.row) / (below.row - above.row);
    return mixed(above.colour, below.colour, share);
  });
}

function mixed(from: Colour, to: Colour, share: number): Colour {
  const part = (channel: 0 | 1 | 2): number => from[channel] + (to[channel] - from[channel]) * share;
  return [part(0), part(1), part(2)];
}

function smooth(colours: readonly Colour[]): Colour[] {
  return colours.map((_, row) => {
    // The same number of rows on both sides, or a gradient would bend at its ends.
    const reach = Math.min(smoothRows, row, colours.length - 1 - row);
    const near = colours.slice(row - reach, row + reach + 1);
    const mean = (channel: 0 | 1 | 2): number =>
      Math.round(near.reduce((sum, colour) => sum + colour[channel], 0) / near.length);
    return [mean(0), mean(1), mean(2)];
  });
}
