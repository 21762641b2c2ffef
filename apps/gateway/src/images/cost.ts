import type { Target } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { ImagePrice, Price } from "@model-gateway/domain/price";
import { nanosPerToken, nanosPerUsd, type UsedAmounts } from "../usage/cost.js";
import { type ImageVariant, imagePriceOf, megapixelsOf } from "./price-table.js";

/** Images that one call to a target created for a caller. */
export interface ImageWork extends Pick<Target, "isListPrice"> {
  readonly price?: Price | undefined;
  /** The images that were returned. */
  readonly images: readonly ImageVariant[];
  /** The usage that the target reported. */
  readonly usage?: Schemas["ImageUsage"];
  /** The cost that the target reported, in US dollars. */
  readonly reportedUsd?: number;
  /** The seconds of its hardware that the target reported. */
  readonly computeSeconds?: number;
  /** The megapixels of all input images. Absent: there are none, or their sizes are unknown. */
  readonly inputMegapixels?: number;
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
export function imageCost(work: ImageWork): number | null {
  const { price, isListPrice = false, images, usage, reportedUsd } = work;
  // A list price is a guess about the bill. The operator's own price is not.
  if (reportedUsd !== undefined && (price === undefined || isListPrice))
    return Math.round(reportedUsd * nanosPerUsd);
  if (images.length === 0 && usage === undefined) return 0;
  if (price === undefined || "perMillionTokens" in price) return null;
  const nanos = (usage && costByTokens(price, usage)) ?? costByImages(price, work);
  return nanos === null ? null : nanos + Math.round((price.perRequest ?? 0) * nanosPerUsd);
}

function costByTokens(price: ImagePrice, usage: Schemas["ImageUsage"]): number | undefined {
  const { perMillionInputTokens: input, perMillionOutputTokens: output } = price;
  if (input === undefined || output === undefined) return undefined;
  return Math.round((inputUsd(input, usage) + outputUsd(output, usage)) * nanosPerToken);
}

/** In dollars for a million times the tokens. */
function inputUsd(
  prices: NonNullable<ImagePrice["perMillionInputTokens"]>,
  { input_tokens, input_tokens_details: details }: Schemas["ImageUsage"],
): number {
  if (typeof prices === "number") return prices * input_tokens;
  const { text, image, cachedText = text, cachedImage = image } = prices;
  const cached = cachedTokens(details);
  return (
    text * (details.text_tokens - cached.text) +
    cachedText * cached.text +
    image * (details.image_tokens - cached.image) +
    cachedImage * cached.image
  );
}

/** Where the kind of cached tokens is not reported, they count as text first, which saves less than images. */
function cachedTokens({
  text_tokens,
  image_tokens,
  cached_tokens: total = 0,
  cached_tokens_details: kinds,
}: Schemas["ImageInputTokensDetails"]) {
  const text = Math.min(text_tokens, kinds?.text_tokens ?? total);
  return { text, image: Math.min(image_tokens, kinds?.image_tokens ?? total - text) };
}

/** Without a count by kind, all output is images. */
function outputUsd(
  prices: NonNullable<ImagePrice["perMillionOutputTokens"]>,
  { output_tokens, output_tokens_details: details }: Schemas["ImageUsage"],
): number {
  if (typeof prices === "number") return prices * output_tokens;
  if (details === undefined) return prices.image * output_tokens;
  return prices.text * details.text_tokens + prices.image * details.image_tokens;
}

/** By seconds, by megapixels or by images. Null if the price of one is unknown. */
function costByImages(
  price: ImagePrice,
  { images, computeSeconds, inputMegapixels = 0 }: ImageWork,
): number | null {
  const { perSecond, perMegapixel, perImage, perRequest } = price;
  if (perSecond !== undefined)
    return computeSeconds === undefined ? null : Math.round(perSecond * computeSeconds * nanosPerUsd);
  if (perMegapixel === undefined && perImage === undefined) return perRequest === undefined ? null : 0;
  let usd = perMegapixel === undefined ? 0 : inputPrice(perMegapixel) * inputMegapixels;
  for (const variant of images) {
    const one =
      perMegapixel === undefined
        ? perImage && imagePriceOf(perImage, variant)
        : megapixelUsd(perMegapixel, megapixelsOf(variant));
    if (one === undefined) return null;
    usd += one;
  }
  return Math.round(usd * nanosPerUsd);
}

type MegapixelPrice = NonNullable<ImagePrice["perMegapixel"]>;

function inputPrice(prices: MegapixelPrice): number {
  return typeof prices === "number" ? 0 : (prices.input ?? 0);
}

/** The price of one image with this many megapixels. */
export function megapixelUsd(prices: MegapixelPrice, megapixels: number | undefined): number | undefined {
  if (megapixels === undefined) return undefined;
  const { first, further } = typeof prices === "number" ? { first: prices, further: prices } : prices;
  return first + further * (megapixels - 1);
}
