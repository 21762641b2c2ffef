import type { Schemas } from "../../../operations/schemas.js";
import { formatUsd, plural } from "../../../parts/format.js";

interface Wanted {
  readonly size: string;
  readonly quality: string;
  readonly count: number;
}

export interface ExpectedPrice {
  readonly usd: number;
  /** Whether it may be less: the model decides the size, the quality or the number of tokens. */
  readonly isMaximum: boolean;
}

/** Price of the images at the first target. Undefined if unknown. */
export function imagePrice(
  targets: readonly Schemas["AdminTarget"][] | undefined,
  wanted: Wanted,
): ExpectedPrice | undefined {
  const rates = targets?.toSorted((one, other) => one.tier - other.tier)[0]?.pricing ?? [];
  const created = rates.filter(({ billable }) => billable === "output_image");
  const ofUnit = (unit: Rate["unit"]) => created.filter((rate) => rate.unit === unit);
  const one =
    priceByMegapixel(ofUnit("megapixel"), wanted) ??
    priceByImage(ofUnit("image"), wanted) ??
    priceByTokens(ofUnit("token"), wanted);
  return one && { ...one, usd: one.usd * wanted.count };
}

type Rate = Schemas["PriceRate"];

function priceByImage(rates: readonly Rate[], { size, quality }: Wanted): ExpectedPrice | undefined {
  const find = (ofSize?: string, ofQuality?: string) =>
    rates.find(({ variant }) => variant?.size === ofSize && variant?.quality === ofQuality);
  const exact = find(size, quality) ?? find(size) ?? find(undefined, quality) ?? find();
  if (exact !== undefined) return { usd: exact.usd, isMaximum: false };
  const possible = rates.filter(
    ({ variant = {} }) =>
      (isOpen(size) || isResolution(variant.size) || (variant.size ?? size) === size) &&
      (isOpen(quality) || (variant.quality ?? quality) === quality),
  );
  if (possible.length === 0) return undefined;
  return { usd: Math.max(...possible.map(({ usd }) => usd)), isMaximum: true };
}

/** Such as `2K`. Which one an image has is the upstream's choice. */
function isResolution(size: string | undefined): boolean {
  return size !== undefined && /^[\d.]+K$/.test(size);
}

function priceByMegapixel(rates: readonly Rate[], { size }: Wanted): ExpectedPrice | undefined {
  const priceOf = (megapixel: "first" | "further") =>
    rates.find(({ variant }) => (variant?.megapixel ?? megapixel) === megapixel)?.usd;
  const [first, further] = [priceOf("first"), priceOf("further")];
  if (first === undefined || further === undefined) return undefined;
  const megapixels = Math.max(1, Math.ceil((pixelsOf(size) ?? largestUsual * squarePixels) / squarePixels));
  return { usd: first + further * (megapixels - 1), isMaximum: isOpen(size) };
}

function pixelsOf(size: string): number | undefined {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  return height === undefined ? undefined : Number(width) * Number(height);
}

/** Output tokens of a 1024x1024 image by quality, as the gateway estimates them for budgets. */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The largest of the sizes that upstreams choose for `auto`, relative to the square. */
const largestUsual = 1.5;

function priceByTokens([rate]: readonly Rate[], { size, quality }: Wanted): ExpectedPrice | undefined {
  if (rate === undefined) return undefined;
  const scale = (pixelsOf(size) ?? largestUsual * squarePixels) / squarePixels;
  const tokens = (squareTokens[quality] ?? squareTokens.high ?? 0) * scale;
  return { usd: (tokens * rate.usd) / rate.per, isMaximum: isOpen(size) || isOpen(quality) };
}

function isOpen(value: string): boolean {
  return value === "auto";
}

/** The sum of several requests, for the button that sends them. Undefined if nothing is known, or all is free. */
export function describeSum(prices: readonly (ExpectedPrice | undefined)[]): string | undefined {
  const known = prices.filter((price) => price !== undefined);
  const usd = known.reduce((sum, price) => sum + price.usd, 0);
  if (usd === 0) return undefined;
  const amount = `${known.some(({ isMaximum }) => isMaximum) ? "up to" : "about"} ${formatUsd(usd)}`;
  const unknown = prices.length - known.length;
  return unknown === 0 ? amount : `${amount} and ${plural(unknown, "unknown price")}`;
}
