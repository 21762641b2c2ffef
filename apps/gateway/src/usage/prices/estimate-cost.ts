import type { Price } from "../../domain/price.js";
import { nanosPerToken, nanosPerUsd } from "./cost-of.js";
import { dearestPicture, type PictureKind } from "./picture-price.js";

/** What is about to be done, by one of several targets. */
export interface WorkAhead {
  readonly targets: readonly { readonly price?: Price }[];
  /** Tokens that go in, as far as they are known. */
  readonly tokens: number;
  /** What is asked for; absent where no pictures are. */
  readonly pictures?: PictureKind & { readonly count: number };
}

/** About what work will cost at the dearest of its targets, in billionths of a US dollar; null where no price is known. */
export function estimateCost({ targets, tokens, pictures }: WorkAhead): number | null {
  let dearest: number | null = null;
  for (const { price } of targets) {
    if (price === undefined) continue;
    dearest = Math.max(dearest ?? 0, estimate(price, tokens, pictures));
  }
  return dearest;
}

function estimate(price: Price, tokens: number, pictures: WorkAhead["pictures"]): number {
  if ("perMillionTokens" in price) return Math.ceil(tokens * price.perMillionTokens * nanosPerToken);
  if (pictures === undefined) return 0;
  const { perImage, perMillionInputTokens: input = 0, perMillionOutputTokens: output = 0 } = price;
  if (perImage !== undefined)
    return Math.ceil(dearestPicture(perImage, pictures) * pictures.count * nanosPerUsd);
  const text = typeof input === "number" ? input : input.text;
  return Math.ceil((text * tokens + output * outputTokens(pictures) * pictures.count) * nanosPerToken);
}

/**
 * How many tokens a square of 1024 pixels takes; other sizes take as many more as they have more pixels.
 * https://community.openai.com/t/what-is-the-difference-between-image-generation-and-output-of-image-tokens/1371851
 */
const squareTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };
const squarePixels = 1024 * 1024;
/** The most usual sizes that an upstream chooses by itself are at most this much larger than a square. */
const largestUsual = 1.5;

function outputTokens({ size = "", quality = "" }: PictureKind): number {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(size) ?? [];
  const scale = height === undefined ? largestUsual : (Number(width) * Number(height)) / squarePixels;
  const square = Object.hasOwn(squareTokens, quality) ? squareTokens[quality] : squareTokens.high;
  return (square ?? 0) * scale;
}
