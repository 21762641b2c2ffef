/** What a target takes, for whatever its model makes. */
export type Price = EmbeddingPrice | ImagePrice;

/** What embeddings cost at a target, in US dollars. */
export interface EmbeddingPrice {
  readonly perMillionTokens: number;
}

/**
 * What pictures cost at a target, in US dollars. Where there are prices of both kinds, tokens decide for an answer that
 * says how many it took, and pictures for one that does not.
 */
export interface ImagePrice {
  readonly perImage?: number | PicturePrices;
  readonly perMillionInputTokens?: number | { readonly text: number; readonly image: number };
  readonly perMillionOutputTokens?: number;
}

/** Prices by size, and by quality where that matters. `*` stands for every other size or quality. */
export type PicturePrices = Readonly<Record<string, number | Readonly<Record<string, number>>>>;
