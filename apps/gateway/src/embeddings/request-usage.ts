import {
  type ContentInput,
  estimateImageTokens,
  imagesOf,
  mediaOf,
} from "@model-gateway/domain/content-input";
import {
  estimateMediaTokens,
  type MediaKind,
  type MediaTokens,
  mediaKinds,
} from "@model-gateway/domain/media-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import { type Input, isContent } from "@model-gateway/domain/requests";
import { sumCosts } from "../usage/cost.js";
import type { FetchedVector } from "./coalescing/pending-input.js";
import { callCost, type UsedImages, type UsedMedia } from "./cost.js";
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
  readonly media?: UsedMedia | undefined;
}

function costOfCall(
  target: EmbeddingTarget,
  { tokens, reportedNanos, images, media }: CallUsage,
): number | null {
  return callCost(target, tokens, { reportedNanos, images, media });
}

function usageOf(
  { tokens, tokensEstimated, imageTokens, mediaTokens, reportedNanos }: FetchedVector,
  input: Input | undefined,
): CallUsage {
  if (input === undefined || !isContent(input)) return { tokens, reportedNanos, images: undefined };
  // An estimate has the tokens of images in it.
  const estimate = tokensEstimated ? estimateTokensOfImages(input) : undefined;
  const images = { count: input.imageCount, tokens: imageTokens ?? estimate };
  return { tokens, reportedNanos, images, media: usedMedia(input, { mediaTokens, tokensEstimated }) };
}

/** The pages and seconds of an input. */
function usedMedia(
  input: ContentInput,
  { mediaTokens, tokensEstimated }: Pick<FetchedVector, "mediaTokens" | "tokensEstimated">,
): UsedMedia | undefined {
  let used: Partial<Record<MediaKind, UsedImages>> | undefined;
  for (const media of mediaOf(input)) {
    used ??= {};
    const { count = 0, tokens = 0 } = used[media.kind] ?? {};
    const estimate = tokensEstimated ? tokens + estimateMediaTokens(media) : undefined;
    used[media.kind] = { count: count + media.amount, tokens: mediaTokens?.[media.kind] ?? estimate };
  }
  return used;
}

function sumUsage(sum: CallUsage | undefined, more: CallUsage): CallUsage {
  if (sum === undefined) return more;
  const images = sum.images && more.images ? sumImages(sum.images, more.images) : (sum.images ?? more.images);
  return {
    tokens: sum.tokens + more.tokens,
    reportedNanos: undefined,
    images,
    media: sum.media && more.media ? sumMedia(sum.media, more.media) : (sum.media ?? more.media),
  };
}

function sumMedia(one: UsedMedia, other: UsedMedia): UsedMedia {
  const sums: Partial<Record<MediaKind, UsedImages>> = { ...one, ...other };
  for (const kind of mediaKinds) {
    const [left, right] = [one[kind], other[kind]];
    if (left !== undefined && right !== undefined) sums[kind] = sumImages(left, right);
  }
  return sums;
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

/** The tokens of a request that are not those of texts. */
interface FileTokens {
  readonly images: number;
  readonly media: MediaTokens | undefined;
}

/**
 * The tokens of images and media in all inputs. Undefined if one is not reported: an upstream may not know it, and the
 * cache does not.
 */
export function fileTokensOf(
  inputs: readonly Input[],
  resultOf: (position: number) => Pick<FetchedVector, "imageTokens" | "mediaTokens">,
): FileTokens | undefined {
  let images = 0;
  const media: Partial<Record<MediaKind, number>> = {};
  for (const [position, input] of inputs.entries()) {
    if (!isContent(input)) continue;
    const { imageTokens, mediaTokens } = resultOf(position);
    const kinds = new Set(mediaOf(input).map(({ kind }) => kind));
    if (imageTokens === undefined && (input.imageCount > 0 || kinds.size === 0)) return undefined;
    images += imageTokens ?? 0;
    for (const kind of kinds) {
      const tokens = mediaTokens?.[kind];
      if (tokens === undefined) return undefined;
      media[kind] = (media[kind] ?? 0) + tokens;
    }
  }
  return { images, media: Object.keys(media).length === 0 ? undefined : media };
}
