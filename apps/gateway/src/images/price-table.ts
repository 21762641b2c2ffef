import type { PricesBySize } from "@model-gateway/domain/price";

/** The price of an image depends on these. An absent field is unknown, or left to the upstream. */
export interface ImageVariant {
  readonly size?: string;
  readonly quality?: string;
}

/** The price of an image in US dollars; undefined if the table has no entry for it. */
export function imagePriceOf(
  prices: number | PricesBySize,
  { size, quality }: ImageVariant,
): number | undefined {
  if (typeof prices === "number") return prices;
  const ofSize = sizeEntry(prices, size);
  return typeof ofSize === "object" ? entry(ofSize, quality) : ofSize;
}

/** The highest price that the upstream's choice of absent fields can lead to. */
export function maxImagePrice(prices: number | PricesBySize, variant: ImageVariant): number {
  const known = imagePriceOf(prices, variant);
  if (known !== undefined || typeof prices === "number") return known ?? 0;
  const ofSize = sizeEntry(prices, variant.size);
  const rows = ofSize === undefined ? Object.values(prices) : [ofSize];
  const candidates = rows.flatMap((row) =>
    typeof row === "number" ? row : (entry(row, variant.quality) ?? Object.values(row)),
  );
  return Math.max(0, ...candidates);
}

/** Providers count 1024 x 1024 pixels as one megapixel, and a part of one as a whole. */
const megapixel = 1024 * 1024;

/** Undefined if the size is unknown. */
export function megapixelsOf({ size }: ImageVariant): number | undefined {
  const pixels = pixelsOf(size);
  return pixels === undefined ? undefined : Math.max(1, Math.ceil(pixels / megapixel));
}

/** The pixels of a size such as `1024x1536`. */
export function pixelsOf(size = ""): number | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return height === undefined ? undefined : Number(width) * Number(height);
}

/** By the size itself, or else by its resolution. */
function sizeEntry(prices: PricesBySize, size: string | undefined): PricesBySize[string] | undefined {
  if (size !== undefined && Object.hasOwn(prices, size)) return prices[size];
  return entry(prices, resolutionOf(size));
}

/** The nearest resolution. Shapes other than a square have about as many pixels. */
function resolutionOf(size: string | undefined): string | undefined {
  const pixels = pixelsOf(size);
  if (pixels === undefined) return undefined;
  if (pixels <= megapixel / 2) return "0.5K";
  if (pixels <= 2 * megapixel) return "1K";
  return pixels <= 8 * megapixel ? "2K" : "4K";
}

/** `Object.hasOwn`, because names come from callers and upstreams: `constructor` is not an entry. */
function entry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  return table["*"];
}
