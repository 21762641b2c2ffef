/** The price at a target, by the type of its model. All amounts are US dollars. */
export type Price = EmbeddingPrice | ImagePrice;

/** Without a price for images, their tokens cost as much as those of texts. */
export interface EmbeddingPrice {
  readonly perMillionTokens: number;
  readonly perMillionImageTokens?: number;
  /** An image of an input, where images are not billed by tokens. */
  readonly perInputImage?: number;
  readonly perMillionAudioTokens?: number;
  readonly perMillionVideoTokens?: number;
  /** A page of a PDF. Without it, a page costs as much as images of its tokens. */
  readonly perInputPage?: number;
  readonly perInputAudioSecond?: number;
  readonly perInputVideoSecond?: number;
}

/**
 * The price of images. A reply that reports its tokens is priced by tokens if they have a price. Any other is priced by
 * the seconds of its computation, or else by megapixels, or else by images. A price per request is added to each.
 */
export interface ImagePrice {
  readonly perImage?: number | PricesBySize;
  readonly perMegapixel?: number | MegapixelPrices;
  /** A second of the provider's hardware. */
  readonly perSecond?: number;
  readonly perRequest?: number;
  readonly perMillionInputTokens?: number | InputTokenPrices;
  readonly perMillionOutputTokens?: number | OutputTokenPrices;
}

/**
 * Prices by size, or by size and quality. A size may be a resolution: `0.5K`, `1K`, `2K` or `4K`. `*` matches every other
 * size or quality.
 */
export type PricesBySize = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** An image's first megapixel, and each further one. A part of a megapixel counts as a whole one. */
interface MegapixelPrices {
  readonly first: number;
  readonly further: number;
  /** A megapixel of an input image. Absent: input images are free. */
  readonly input?: number;
}

/** Cached tokens without their own price cost as much as others. */
interface InputTokenPrices {
  readonly text: number;
  readonly image: number;
  readonly cachedText?: number;
  readonly cachedImage?: number;
}

interface OutputTokenPrices {
  readonly text: number;
  readonly image: number;
}
