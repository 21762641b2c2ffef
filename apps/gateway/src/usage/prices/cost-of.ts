import type { ImagePrice, Price } from "../../domain/price.js";
import type { Schemas } from "../../operations.js";
import { type PictureKind, picturePrice } from "./picture-price.js";

/** What was done for a caller by one target. */
export type PaidWork = EmbeddingWork | ImageWork;

export interface EmbeddingWork {
  readonly price: Price | undefined;
  /** The tokens that the target was given; what came from a cache is not among them. */
  readonly tokens: number;
}

export interface ImageWork {
  readonly price: Price | undefined;
  /** The pictures that came back. */
  readonly pictures: readonly PictureKind[];
  /** What the target says it took. */
  readonly usage?: Schemas["ImageUsage"];
}

/** What work costs, in billionths of a US dollar; null where that is not known. Nothing done costs nothing. */
export function costOf(work: PaidWork): number | null {
  if ("tokens" in work) return embeddingCost(work);
  const { price, pictures, usage } = work;
  if (pictures.length === 0 && usage === undefined) return 0;
  if (price === undefined || "perMillionTokens" in price) return null;
  return (usage && tokenCost(price, usage)) ?? pictureCost(price, pictures);
}

/** A price per million tokens is as many thousandths of a dollar for a thousand, and as many billionths for one. */
export const nanosPerToken = 1000;
export const nanosPerUsd = 1_000_000_000;

function embeddingCost({ price, tokens }: EmbeddingWork): number | null {
  if (tokens === 0) return 0;
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return Math.round(tokens * price.perMillionTokens * nanosPerToken);
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

function pictureCost({ perImage }: ImagePrice, pictures: readonly PictureKind[]): number | null {
  if (perImage === undefined) return null;
  let usd = 0;
  for (const kind of pictures) {
    const one = picturePrice(perImage, kind);
    if (one === undefined) return null;
    usd += one;
  }
  return Math.round(usd * nanosPerUsd);
}
