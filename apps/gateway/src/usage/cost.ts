import type { ImagePrice, Price, PricesBySize } from "../domain/model.js";
import type { Schemas } from "../operations.js";

/** Work that one target did for a caller. */
export type PaidWork = EmbeddingWork | ImageWork;

export interface EmbeddingWork {
  readonly price: Price | undefined;
  /** Input tokens of the target. Tokens of cached vectors are not included. */
  readonly tokens: number;
}

/** What the cache has answered. */
export interface CachedWork {
  /** Different inputs. */
  readonly inputs: number;
  /** The tokens that an upstream would have counted. */
  readonly tokens: number;
}

export interface ImageWork {
  readonly price: Price | undefined;
  /** The images that were returned. */
  readonly images: readonly ImageKind[];
  /** The usage that the target reported. */
  readonly usage?: Schemas["ImageUsage"];
}

/** The cost of work in billionths of a US dollar; null if it is unknown. No work costs 0, whatever the price. */
export function costOf(work: PaidWork): number | null {
  if ("tokens" in work) return embeddingCost(work);
  const { price, images, usage } = work;
  if (images.length === 0 && usage === undefined) return 0;
  if (price === undefined || "perMillionTokens" in price) return null;
  return (usage && tokenCost(price, usage)) ?? imageCost(price, images);
}

/** One dollar per million tokens is 1000 billionths of a dollar per token. */
export const nanosPerToken = 1000;
export const nanosPerUsd = 1_000_000_000;

function embeddingCost({ price, tokens }: EmbeddingWork): number | null {
  if (tokens === 0) return 0;
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return Math.round(tokens * price.perMillionTokens * nanosPerToken);
}

/**
 * What cached vectors would have cost. Any of the targets could have created them, so the lowest price counts: the saving
 * is never overstated. Null if a price is unknown.
 */
export function savingOf(
  tokens: number,
  targets: readonly { readonly price?: Price | undefined }[],
): number | null {
  let lowest: number | null = null;
  for (const { price } of targets) {
    const cost = embeddingCost({ price, tokens });
    if (cost === null) return null;
    lowest = Math.min(lowest ?? cost, cost);
  }
  return lowest;
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

function imageCost({ perImage }: ImagePrice, images: readonly ImageKind[]): number | null {
  if (perImage === undefined) return null;
  let usd = 0;
  for (const kind of images) {
    const one = imagePrice(perImage, kind);
    if (one === undefined) return null;
    usd += one;
  }
  return Math.round(usd * nanosPerUsd);
}

/** Work before it is done. Any of the targets may do it. */
export interface WorkAhead {
  readonly targets: readonly { readonly price?: Price }[];
  /** Estimated input tokens. */
  readonly tokens: number;
  /** The requested images; absent for embeddings. */
  readonly images?: ImageKind & { readonly count: number };
}

/** The estimated cost at the most expensive target, in billionths of a US dollar; null if no price is known. */
export function estimateCost({ targets, tokens, images }: WorkAhead): number | null {
  let dearest: number | null = null;
  for (const { price } of targets) {
    if (price === undefined) continue;
    dearest = Math.max(dearest ?? 0, estimate(price, tokens, images));
  }
  return dearest;
}

function estimate(price: Price, tokens: number, images: WorkAhead["images"]): number {
  if ("perMillionTokens" in price) return Math.ceil(tokens * price.perMillionTokens * nanosPerToken);
  if (images === undefined) return 0;
  const { perImage, perMillionInputTokens: input = 0, perMillionOutputTokens: output = 0 } = price;
  if (perImage !== undefined) return Math.ceil(maxImagePrice(perImage, images) * images.count * nanosPerUsd);
  const text = typeof input === "number" ? input : input.text;
  return Math.ceil((text * tokens + output * outputTokens(images) * images.count) * nanosPerToken);
}

/**
 * Output tokens of a 1024x1024 image by quality. Other sizes are in proportion to their pixels.
 * https://community.openai.com/t/what-is-the-difference-between-image-generation-and-output-of-image-tokens/1371851
 */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The largest of the sizes that upstreams choose for `auto`, relative to the square. */
const largestUsual = 1.5;

function outputTokens({ size = "", quality = "" }: ImageKind): number {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  const scale = height === undefined ? largestUsual : (Number(width) * Number(height)) / squarePixels;
  const square = Object.hasOwn(squareTokens, quality) ? squareTokens[quality] : squareTokens.high;
  return (square ?? 0) * scale;
}

/** What an image is priced by. An absent field is unknown, or left to the upstream. */
export interface ImageKind {
  readonly size?: string;
  readonly quality?: string;
}

/** The price of an image in US dollars; undefined if the table has no entry for it. */
export function imagePrice(prices: number | PricesBySize, { size, quality }: ImageKind): number | undefined {
  if (typeof prices === "number") return prices;
  const ofSize = entry(prices, size);
  return typeof ofSize === "object" ? entry(ofSize, quality) : ofSize;
}

/** The highest price that the upstream's choice of absent fields can lead to. */
export function maxImagePrice(prices: number | PricesBySize, kind: ImageKind): number {
  const known = imagePrice(prices, kind);
  if (known !== undefined || typeof prices === "number") return known ?? 0;
  const ofSize = entry(prices, kind.size);
  const rows = ofSize === undefined ? Object.values(prices) : [ofSize];
  const candidates = rows.flatMap((row) =>
    typeof row === "number" ? row : (entry(row, kind.quality) ?? Object.values(row)),
  );
  return Math.max(0, ...candidates);
}

/** `Object.hasOwn`, because names come from callers and upstreams: `constructor` is not an entry. */
function entry<T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined {
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  return table["*"];
}
