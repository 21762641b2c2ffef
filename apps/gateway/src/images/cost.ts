import type { ImagePrice, Price, PricesBySize } from "../domain/model.js";
import type { Schemas } from "../operations.js";
import { nanosPerToken, nanosPerUsd, type UsedAmounts } from "../usage/cost.js";

/** Images that one target created for a caller. */
export interface ImageWork {
  readonly price: Price | undefined;
  /** The images that were returned. */
  readonly images: readonly ImageVariant[];
  /** The usage that the target reported. */
  readonly usage?: Schemas["ImageUsage"];
}

/** The amounts that the work has used, for the meter. */
export function usedBy(work: ImageWork): UsedAmounts {
  return {
    inputTokens: work.usage?.input_tokens ?? 0,
    outputTokens: work.usage?.output_tokens ?? 0,
    images: work.images.length,
    costNanos: imageCost(work),
  };
}

/** The cost of image work in billionths of a US dollar; null if unknown. No work costs 0 at any price. */
export function imageCost({ price, images, usage }: ImageWork): number | null {
  if (images.length === 0 && usage === undefined) return 0;
  if (price === undefined || "perMillionTokens" in price) return null;
  return (usage && tokenCost(price, usage)) ?? costByImage(price, images);
}

function tokenCost(price: ImagePrice, usage: Schemas["ImageUsage"]): number | undefined {
  const { perMillionInputTokens: input, perMillionOutputTokens: output } = price;
  if (input === undefined || output === undefined) return undefined;
  const { text_tokens, image_tokens } = usage.input_tokens_details;
  const inputUsd =
    typeof input === "number"
      ? input * usage.input_tokens
      : input.text * text_tokens + input.image * image_tokens;
  return Math.round((inputUsd + output * usage.output_tokens) * nanosPerToken);
}

function costByImage({ perImage }: ImagePrice, images: readonly ImageVariant[]): number | null {
  if (perImage === undefined) return null;
  let usd = 0;
  for (const variant of images) {
    const one = imagePrice(perImage, variant);
    if (one === undefined) return null;
    usd += one;
  }
  return Math.round(usd * nanosPerUsd);
}

/** Images before they are created. Any of the targets may do it. */
export interface RequestedImages extends ImageVariant {
  readonly targets: readonly { readonly price?: Price }[];
  /** Estimated input tokens. */
  readonly tokens: number;
  readonly count: number;
}

/** The estimated cost at the most expensive target, in billionths of a US dollar; null if no price is known. */
export function estimateImageCost(requested: RequestedImages): number | null {
  let dearest: number | null = null;
  for (const { price } of requested.targets) {
    if (price === undefined || "perMillionTokens" in price) continue;
    dearest = Math.max(dearest ?? 0, estimate(price, requested));
  }
  return dearest;
}

function estimate(price: ImagePrice, { tokens, count, ...variant }: RequestedImages): number {
  const { perImage, perMillionInputTokens: input = 0, perMillionOutputTokens: output = 0 } = price;
  if (perImage !== undefined) return Math.ceil(maxImagePrice(perImage, variant) * count * nanosPerUsd);
  const text = typeof input === "number" ? input : input.text;
  return Math.ceil((text * tokens + output * outputTokens(variant) * count) * nanosPerToken);
}

/**
 * Output tokens of a 1024x1024 image by quality. Other sizes are in proportion to their pixels.
 * https://community.openai.com/t/what-is-the-difference-between-image-generation-and-output-of-image-tokens/1371851
 */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The largest of the sizes that upstreams choose for `auto`, relative to the square. */
const largestUsual = 1.5;

function outputTokens({ size = "", quality = "" }: ImageVariant): number {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  const scale = height === undefined ? largestUsual : (Number(width) * Number(height)) / squarePixels;
  const square = Object.hasOwn(squareTokens, quality) ? squareTokens[quality] : squareTokens.high;
  return (square ?? 0) * scale;
}

/** The price of an image depends on these. An absent field is unknown, or left to the upstream. */
export interface ImageVariant {
  readonly size?: string;
  readonly quality?: string;
}

/** The price of an image in US dollars; undefined if the table has no entry for it. */
function imagePrice(prices: number | PricesBySize, { size, quality }: ImageVariant): number | undefined {
  if (typeof prices === "number") return prices;
  const ofSize = entry(prices, size);
  return typeof ofSize === "object" ? entry(ofSize, quality) : ofSize;
}

/** The highest price that the upstream's choice of absent fields can lead to. */
function maxImagePrice(prices: number | PricesBySize, variant: ImageVariant): number {
  const known = imagePrice(prices, variant);
  if (known !== undefined || typeof prices === "number") return known ?? 0;
  const ofSize = entry(prices, variant.size);
  const rows = ofSize === undefined ? Object.values(prices) : [ofSize];
  const candidates = rows.flatMap((row) =>
    typeof row === "number" ? row : (entry(row, variant.quality) ?? Object.values(row)),
  );
  return Math.max(0, ...candidates);
}

/** `Object.hasOwn`, because names come from callers and upstreams: `constructor` is not an entry. */
function entry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  return table["*"];
}
