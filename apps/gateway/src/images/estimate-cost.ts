import type { ImagePrice, Price } from "@model-gateway/domain/price";
import { nanosPerToken, nanosPerUsd } from "../usage/cost.js";
import { megapixelUsd } from "./cost.js";
import { type ImageVariant, maxImagePrice, megapixelsOf, pixelsOf } from "./price-table.js";

/** Images before they are created. Any of the targets may do it. */
interface RequestedImages extends ImageVariant {
  readonly targets: readonly { readonly price?: Price }[];
  /** Estimated input tokens. */
  readonly tokens: number;
  readonly count: number;
  /** The partial images of each image. Absent: none. */
  readonly partialImages?: number;
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

function estimate(price: ImagePrice, requested: RequestedImages): number {
  const { perImage, perMegapixel, perSecond, perRequest = 0 } = price;
  const { count } = requested;
  const perRequestNanos = Math.ceil(perRequest * nanosPerUsd);
  if (perSecond !== undefined)
    return perRequestNanos + Math.ceil(perSecond * usualSeconds * count * nanosPerUsd);
  if (perMegapixel !== undefined) {
    const usd = megapixelUsd(perMegapixel, megapixelsOf(requested) ?? usualMegapixels) ?? 0;
    return perRequestNanos + Math.ceil(usd * count * nanosPerUsd);
  }
  if (perImage !== undefined)
    return perRequestNanos + Math.ceil(maxImagePrice(perImage, requested) * count * nanosPerUsd);
  return perRequestNanos + tokenNanos(price, requested);
}

function tokenNanos(
  { perMillionInputTokens: input = 0, perMillionOutputTokens: output = 0 }: ImagePrice,
  { tokens, count, partialImages = 0, ...variant }: RequestedImages,
): number {
  const inputUsd = typeof input === "number" ? input : input.text;
  const outputUsd = typeof output === "number" ? output : output.image;
  const created = outputTokens(variant) + partialImages * partialImageTokens;
  return Math.ceil((inputUsd * tokens + outputUsd * created * count) * nanosPerToken);
}

/** https://developers.openai.com/api/docs/guides/image-generation */
const partialImageTokens = 100;

/**
 * Output tokens of a 1024x1024 image by quality. Other sizes are in proportion to their pixels.
 * https://community.openai.com/t/what-is-the-difference-between-image-generation-and-output-of-image-tokens/1371851
 */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The largest of the sizes that upstreams choose for `auto`, relative to the square. */
const largestUsual = 1.5;
const usualMegapixels = Math.ceil(largestUsual);
/** A guess: the time is known only afterwards. */
const usualSeconds = 10;

function outputTokens({ size, quality = "" }: ImageVariant): number {
  const pixels = pixelsOf(size) ?? largestUsual * squarePixels;
  const square = Object.hasOwn(squareTokens, quality) ? squareTokens[quality] : squareTokens.high;
  return (square ?? 0) * (pixels / squarePixels);
}
