import { type ContentInput, estimateImageTokens } from "@model-gateway/domain/content-input";
import type { Target } from "@model-gateway/domain/model";
import type { EmbeddingPrice, Price } from "@model-gateway/domain/price";
import type { EmbeddingRequest, TextInput } from "@model-gateway/domain/requests";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { nanosPerToken, nanosPerUsd } from "../usage/cost.js";
import { estimateTokens } from "../usage/usage-meter.js";
import type { GivenContent } from "./inputs.js";

/** The prices of the targets that may embed a request's inputs. */
type PricedTargets = readonly { readonly price?: Price | undefined }[];

/** The cost of embedding in billionths of a US dollar; null if unknown. Zero tokens cost 0 at any price. */
export function embeddingCost(price: Price | undefined, tokens: number): number | null {
  if (tokens === 0) return 0;
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return Math.round(tokens * price.perMillionTokens * nanosPerToken);
}

/** The images of a call. */
export interface UsedImages {
  readonly count: number;
  /** Undefined if the upstream does not report them. */
  readonly tokens: number | undefined;
}

/** The same for a call to a target. A cost that it reports counts more than a list price, and less than the operator's. */
export function callCost(
  { price, isListPrice = false }: Pick<Target, "price" | "isListPrice">,
  tokens: number,
  {
    reportedNanos,
    images,
  }: { readonly reportedNanos?: number | undefined; readonly images?: UsedImages | undefined } = {},
): number | null {
  if (reportedNanos !== undefined && (price === undefined || isListPrice)) return reportedNanos;
  if (images === undefined || images.count === 0) return embeddingCost(price, tokens);
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return costWithImages(price, { tokens, images, isListPrice });
}

/** A list price for texts says nothing about images. An operator's is meant for all that the model takes. */
function costWithImages(
  price: EmbeddingPrice,
  { tokens, images, isListPrice }: { tokens: number; images: UsedImages; isListPrice: boolean },
): number | null {
  const { perMillionTokens, perMillionImageTokens, perInputImage } = price;
  if (perInputImage !== undefined) {
    const textTokens = Math.max(0, tokens - (images.tokens ?? 0));
    const ofImages = Math.round(images.count * perInputImage * nanosPerUsd);
    return Math.round(textTokens * perMillionTokens * nanosPerToken) + ofImages;
  }
  if (perMillionImageTokens === undefined)
    return isListPrice && perMillionTokens > 0 ? null : embeddingCost(price, tokens);
  if (images.tokens === undefined) return perMillionImageTokens + perMillionTokens === 0 ? 0 : null;
  const textTokens = Math.max(0, tokens - images.tokens);
  const perToken = textTokens * perMillionTokens + images.tokens * perMillionImageTokens;
  return Math.round(perToken * nanosPerToken);
}

/** The cost at the most expensive target; null if no price is known. */
export function estimateEmbeddingCost(targets: PricedTargets, tokens: number, images = 0): number | null {
  let dearest: number | null = null;
  for (const { price } of targets) {
    if (price === undefined || !("perMillionTokens" in price)) continue;
    const cost = images === 0 ? tokens * price.perMillionTokens : estimateWithImages(price, tokens, images);
    dearest = Math.max(dearest ?? 0, Math.ceil(cost * nanosPerToken));
  }
  return dearest;
}

/** In millionths of a US dollar. Which of the tokens are those of images is not known yet. */
function estimateWithImages(price: EmbeddingPrice, tokens: number, images: number): number {
  const { perMillionTokens, perMillionImageTokens = 0, perInputImage = 0 } = price;
  const perToken = Math.max(perMillionTokens, perMillionImageTokens);
  return tokens * perToken + images * perInputImage * 1_000_000;
}

/**
 * The cost that cached vectors have saved. Any of the targets could have created them, so the lowest price counts: the saving
 * is never overstated. Null if a price is unknown.
 */
export function savingOf(tokens: number, targets: PricedTargets): number | null {
  let lowest: number | null = null;
  for (const { price } of targets) {
    const cost = embeddingCost(price, tokens);
    if (cost === null) return null;
    lowest = Math.min(lowest ?? cost, cost);
  }
  return lowest;
}

/** Counts the tokens of `input` in all its forms, in time slices. A flat array of token ids is one input. */
export async function estimateInputTokens(
  input: TextInput | readonly (TextInput | ContentInput | GivenContent)[],
): Promise<number> {
  if (typeof input === "string") return estimateTokens(input);
  let tokens = 0;
  const slice = new TimeSlice();
  for (const part of input) {
    if (typeof part === "number") tokens += 1;
    else tokens += typeof part === "string" ? estimateTokens(part) : tokensOf(part);
    if (typeof part === "string" && slice.isOver) await slice.yield();
  }
  return tokens;
}

function tokensOf(input: readonly number[] | ContentInput | GivenContent): number {
  if ("length" in input) return input.length;
  return "parts" in input ? contentTokens(input) : givenTokens(input);
}

function contentTokens({ parts }: ContentInput): number {
  let tokens = 0;
  for (const part of parts)
    tokens += part.type === "text" ? estimateTokens(part.text) : estimateImageTokens(part.image);
  return tokens;
}

/** The size of an image is known only when it is read. */
const assumedImageTokens = 1000;

function givenTokens({ content }: GivenContent): number {
  let tokens = 0;
  for (const part of content) tokens += part.type === "text" ? estimateTokens(part.text) : assumedImageTokens;
  return tokens;
}

/** The images of a request, which are not read yet. */
export function countImages(input: EmbeddingRequest["input"]): number {
  if (typeof input === "string") return 0;
  let images = 0;
  for (const one of input)
    if (typeof one === "object" && "content" in one)
      for (const { type } of one.content) images += type === "image_url" ? 1 : 0;
  return images;
}
