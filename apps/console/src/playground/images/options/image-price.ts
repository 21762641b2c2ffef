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
  const price = targets?.toSorted((one, other) => one.tier - other.tier)[0]?.price;
  if (price == null) return undefined;
  const one =
    price.per_image.length > 0 ? priceByImage(price.per_image, wanted) : priceByTokens(price, wanted);
  return one && { ...one, usd: one.usd * wanted.count };
}

function priceByImage(
  entries: readonly Schemas["ImagePriceEntry"][],
  { size, quality }: Wanted,
): ExpectedPrice | undefined {
  const find = (ofSize: string, ofQuality: string) =>
    entries.find((entry) => entry.size === ofSize && entry.quality === ofQuality);
  const exact = find(size, quality) ?? find(size, "*") ?? find("*", quality) ?? find("*", "*");
  if (exact !== undefined) return { usd: exact.usd, isMaximum: false };
  const possible = entries.filter(
    (entry) =>
      (isOpen(size) || entry.size === size || entry.size === "*") &&
      (isOpen(quality) || entry.quality === quality || entry.quality === "*"),
  );
  if (possible.length === 0) return undefined;
  return { usd: Math.max(...possible.map(({ usd }) => usd)), isMaximum: true };
}

/** Output tokens of a 1024x1024 image by quality, as the gateway estimates them for budgets. */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The largest of the sizes that upstreams choose for `auto`, relative to the square. */
const largestUsual = 1.5;

function priceByTokens(
  { per_million_output_tokens: perMillion }: NonNullable<Schemas["TargetPrice"]>,
  { size, quality }: Wanted,
): ExpectedPrice | undefined {
  if (perMillion === null) return undefined;
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  const scale = height === undefined ? largestUsual : (Number(width) * Number(height)) / squarePixels;
  const tokens = (squareTokens[quality] ?? squareTokens.high ?? 0) * scale;
  return { usd: (tokens * perMillion) / 1_000_000, isMaximum: isOpen(size) || isOpen(quality) };
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
