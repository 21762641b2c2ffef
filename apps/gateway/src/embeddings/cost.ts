import { type ContentInput, estimateFileTokens } from "@model-gateway/domain/content-input";
import { type InputMedia, type MediaKind, mediaKinds } from "@model-gateway/domain/media-input";
import type { Target } from "@model-gateway/domain/model";
import type { Schemas } from "@model-gateway/domain/operations";
import type { EmbeddingPrice, Price } from "@model-gateway/domain/price";
import type { TextInput } from "@model-gateway/domain/requests";
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

/** The images of a call, the pages of its PDFs, or the seconds of its audio or video. */
export interface UsedImages {
  readonly count: number;
  /** Undefined if the upstream does not report them. */
  readonly tokens: number | undefined;
}

/** By kind. */
export type UsedMedia = Readonly<Partial<Record<MediaKind, UsedImages>>>;

/** The same for a call to a target. A cost that it reports counts more than a list price, and less than the operator's. */
export function callCost(
  { price, isListPrice = false }: Pick<Target, "price" | "isListPrice">,
  tokens: number,
  {
    reportedNanos,
    images,
    media,
  }: {
    readonly reportedNanos?: number | undefined;
    readonly images?: UsedImages | undefined;
    readonly media?: UsedMedia | undefined;
  } = {},
): number | null {
  if (reportedNanos !== undefined && (price === undefined || isListPrice)) return reportedNanos;
  const files = { image: images, ...media };
  if (fileKinds.every((kind) => !files[kind]?.count)) return embeddingCost(price, tokens);
  if (price === undefined || !("perMillionTokens" in price)) return null;
  return costWithFiles(price, { tokens, files, isListPrice });
}

type UsedFiles = Readonly<Partial<Record<"image" | MediaKind, UsedImages | undefined>>>;
const fileKinds = ["image", ...mediaKinds] as const;

/** The prices of a kind: by its units, and by its tokens. */
const kindPrices = {
  image: (price: EmbeddingPrice) => [price.perInputImage, price.perMillionImageTokens],
  file: (price: EmbeddingPrice) => [price.perInputPage, price.perMillionImageTokens],
  audio: (price: EmbeddingPrice) => [price.perInputAudioSecond, price.perMillionAudioTokens],
  video: (price: EmbeddingPrice) => [price.perInputVideoSecond, price.perMillionVideoTokens],
} as const;

/** A list price for texts says nothing about images and media. An operator's is meant for all that the model takes. */
function costWithFiles(
  price: EmbeddingPrice,
  { tokens, files, isListPrice }: { tokens: number; files: UsedFiles; isListPrice: boolean },
): number | null {
  const { perMillionTokens } = price;
  let textTokens = tokens;
  let perTokens = 0;
  let nanos = 0;
  for (const kind of fileKinds) {
    const { count = 0, tokens: ofKind } = files[kind] ?? {};
    if (count === 0) continue;
    const [perUnit, perMillion] = kindPrices[kind](price);
    if (perUnit !== undefined) {
      nanos += Math.round(count * perUnit * nanosPerUsd);
      textTokens -= ofKind ?? 0;
    } else if (perMillion === undefined) {
      if (isListPrice && perMillionTokens > 0) return null;
    } else if (ofKind === undefined) {
      if (perMillion + perMillionTokens > 0) return null;
    } else {
      perTokens += ofKind * perMillion;
      textTokens -= ofKind;
    }
  }
  return nanos + Math.round((Math.max(0, textTokens) * perMillionTokens + perTokens) * nanosPerToken);
}

/** The images of a request, and the most pages and seconds that its media may have. */
interface ExpectedFiles {
  readonly images: number;
  readonly media?: Readonly<Partial<Record<MediaKind, number>>> | undefined;
}

const noFiles: ExpectedFiles = { images: 0 };

/** The cost at the most expensive target; null if no price is known. */
export function estimateEmbeddingCost(
  targets: PricedTargets,
  tokens: number,
  files: ExpectedFiles = noFiles,
): number | null {
  const isText = files.images === 0 && files.media === undefined;
  let dearest: number | null = null;
  for (const { price } of targets) {
    if (price === undefined || !("perMillionTokens" in price)) continue;
    const cost = isText ? tokens * price.perMillionTokens : estimateWithFiles(price, tokens, files);
    dearest = Math.max(dearest ?? 0, Math.ceil(cost * nanosPerToken));
  }
  return dearest;
}

/** In millionths of a US dollar. Which of the tokens are those of images and media is not known yet. */
function estimateWithFiles(price: EmbeddingPrice, tokens: number, { images, media }: ExpectedFiles): number {
  const amounts = { image: images, ...media };
  let perToken = price.perMillionTokens;
  let usd = 0;
  for (const kind of fileKinds) {
    const amount = amounts[kind] ?? 0;
    if (amount === 0) continue;
    const [perUnit = 0, perMillion = 0] = kindPrices[kind](price);
    perToken = Math.max(perToken, perMillion);
    usd += amount * perUnit;
  }
  return tokens * perToken + usd * 1_000_000;
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
    tokens += part.type === "text" ? estimateTokens(part.text) : estimateFileTokens(part);
  return tokens;
}

/** The size of an image, and the length of media, is known only when it is read. */
const assumedFileTokens = 1000;

function givenTokens({ content }: GivenContent): number {
  let tokens = 0;
  for (const part of content) tokens += part.type === "text" ? estimateTokens(part.text) : assumedFileTokens;
  return tokens;
}

/** The images and media of a request, which are not read yet. */
export function countFiles(input: Schemas["EmbeddingInput"], inputMedia: InputMedia = {}): ExpectedFiles {
  if (typeof input === "string") return noFiles;
  let images = 0;
  let media: Partial<Record<MediaKind, number>> | undefined;
  for (const one of input) {
    if (typeof one !== "object" || !("content" in one)) continue;
    for (const { type } of one.content) {
      if (type === "image_url") images += 1;
      const kind = mediaKinds.find((name) => type === `input_${name}`);
      if (kind === undefined) continue;
      media ??= {};
      media[kind] = (media[kind] ?? 0) + (inputMedia[kind]?.maxAmount ?? 0);
    }
  }
  return { images, media };
}
