import { type ContentInput, estimateImageTokens, imagesOf } from "@model-gateway/domain/content-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { sumCosts } from "../usage/cost.js";
import type { FetchedVector } from "./coalescing/pending-input.js";
import { callCost, type UsedImages } from "./cost.js";
import type { KeyedInput } from "./inputs.js";

/** The cost over all targets. Most requests have one input and one target. */
export function costOf(fetched: readonly FetchedVector[], inputs: readonly KeyedInput[]): number | null {
  const [first] = fetched;
  if (first === undefined) return 0;
  if (fetched.length === 1) return costOfCall(first.target, usageOf(first, inputs[0]?.input));
  // Tokens are summed before they are priced: one vector may cost less than the smallest amount.
  const unreported = new Map<EmbeddingTarget, CallUsage>();
  let cost: number | null = 0;
  for (const [index, one] of fetched.entries()) {
    const usage = usageOf(one, inputs[index]?.input);
    if (usage.reportedNanos !== undefined) cost = sumCosts(cost, costOfCall(one.target, usage));
    else unreported.set(one.target, sumUsage(unreported.get(one.target), usage));
  }
  for (const [target, usage] of unreported) cost = sumCosts(cost, costOfCall(target, usage));
  return cost;
}

interface CallUsage {
  readonly tokens: number;
  readonly reportedNanos: number | undefined;
  /** Undefined for texts. */
  readonly images: UsedImages | undefined;
}

function costOfCall(target: EmbeddingTarget, { tokens, reportedNanos, images }: CallUsage): number | null {
  return callCost(target, tokens, { reportedNanos, images });
}

function usageOf(
  { tokens, tokensEstimated, imageTokens, reportedNanos }: FetchedVector,
  input: Input | undefined,
): CallUsage {
  if (input === undefined || !isContent(input)) return { tokens, reportedNanos, images: undefined };
  // An estimate has the tokens of images in it.
  const estimate = tokensEstimated ? estimateTokensOfImages(input) : undefined;
  return { tokens, reportedNanos, images: { count: input.imageCount, tokens: imageTokens ?? estimate } };
}

function sumUsage(sum: CallUsage | undefined, more: CallUsage): CallUsage {
  if (sum === undefined) return more;
  const images = sum.images && more.images ? sumImages(sum.images, more.images) : (sum.images ?? more.images);
  return { tokens: sum.tokens + more.tokens, reportedNanos: undefined, images };
}

function sumImages(one: UsedImages, other: UsedImages): UsedImages {
  const isKnown = one.tokens !== undefined && other.tokens !== undefined;
  return {
    count: one.count + other.count,
    tokens: isKnown ? one.tokens + other.tokens : undefined,
  };
}

function estimateTokensOfImages(input: ContentInput): number {
  return imagesOf(input).reduce((sum, image) => sum + estimateImageTokens(image), 0);
}

/** The images of all inputs, as the caller sent them. */
export interface InputImages {
  readonly count: number;
  readonly pixels: number;
  /** An estimate: only the model knows the exact number. */
  readonly tokens: number;
}

export function describeImages(inputs: readonly Input[]): InputImages {
  const images = inputs.filter(isContent).flatMap(imagesOf);
  return {
    count: images.length,
    pixels: images.reduce((sum, { width, height }) => sum + width * height, 0),
    tokens: images.reduce((sum, image) => sum + estimateImageTokens(image), 0),
  };
}

/**
 * The tokens of images in all inputs. Undefined if one is not reported: an upstream may not know it, and the cache does
 * not.
 */
export function imageTokensOf(
  inputs: readonly Input[],
  resultOf: (position: number) => Pick<FetchedVector, "imageTokens">,
): number | undefined {
  let sum = 0;
  for (const [position, input] of inputs.entries()) {
    if (!isContent(input)) continue;
    const { imageTokens } = resultOf(position);
    if (imageTokens === undefined) return undefined;
    sum += imageTokens;
  }
  return sum;
}
