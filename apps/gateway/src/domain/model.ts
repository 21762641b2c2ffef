import type { UsageLimits } from "./access-key.js";
import type { ImageProfile } from "./image-profile.js";

/** A service that models run on, as the configuration names it. */
export type Upstream = RemoteUpstream | LocalUpstream;

export interface RemoteUpstream {
  readonly name: string;
  readonly provider: "openai" | "openai-compatible";
  readonly baseUrl: string;
  readonly apiKey?: string;
  /** Whether links in its answers may lead to a private network. */
  readonly allowPrivateUrls: boolean;
  /** The longest a request may take; without it, the default of its operation. */
  readonly timeoutMs?: number;
}

export interface LocalUpstream {
  readonly name: string;
  readonly provider: "local";
  /** Folders with `model.onnx` and `tokenizer.json`, by the name their models are served under. */
  readonly modelFolders: Readonly<Record<string, string>>;
}

/** A place where a model can be had: an upstream, and the model's name there. */
export interface Target {
  readonly upstream: string;
  readonly model: string;
  readonly weight: number;
  readonly tier: number;
  /** How much it may be given. */
  readonly capacity: {
    readonly maxConcurrency?: number;
    readonly requestsPerMinute?: number;
    readonly tokensPerMinute?: number;
  };
  /** Absent where nobody knows it; a target that costs nothing has a price of 0. */
  readonly price?: Price;
}

/** A target of an embedding model, with what one call to it may carry. */
export interface EmbeddingTarget extends Target {
  readonly maxInputs: number;
  readonly maxTokensPerRequest: number;
  /** Whether it takes `dimensions` itself, or the gateway shortens its vectors. */
  readonly dimensions: "pass" | "emulate";
  /** What it calls `dimensions`. */
  readonly dimensionsField?: string;
  /** The only encoding it knows, or `none` where it does not take the parameter. */
  readonly encoding?: "float" | "base64" | "none";
  /** Vectors of one space can be compared; those of two cannot. */
  readonly space: string;
}

/** What the space of a target is when nobody says: the model it serves, and the width. */
export function defaultSpace(model: string, dimensions: number | undefined): string {
  return `${model}@${dimensions ?? "any"}`;
}

/** What people ask for by id, and the targets that serve it. */
export type Model = EmbeddingModel | ImageModel;

/** How a target is chosen among those of one tier. */
export type Strategy = "fastest" | "weighted" | "ordered";

interface ModelBase {
  readonly id: string;
  readonly strategy: Strategy;
  /** How often a request may be tried again; without it, that follows from how many targets there are. */
  readonly retries?: { readonly max: number };
  readonly description?: string;
  /** How much of it may be used by all callers together. */
  readonly limits?: UsageLimits;
}

export interface EmbeddingModel extends ModelBase {
  readonly type: "embedding";
  readonly targets: readonly [EmbeddingTarget, ...EmbeddingTarget[]];
  /** The native width of its vectors. */
  readonly dimensions?: number;
  /** Whether its vectors were trained to be shortened. */
  readonly matryoshka: boolean;
  /** How many inputs a caller may send at once, whatever its targets take. */
  readonly maxInputs: number;
  readonly maxTokens?: number;
  /** The vocabulary of its own tokens, where it takes token ids. */
  readonly tokenizer?: VocabularyName;
  /** The vocabulary that callers' token ids are in. */
  readonly clientTokenizer?: VocabularyName;
  readonly cache?: { readonly ttlMs: number; readonly countTokens: boolean };
  /** How long, and for how many inputs, small requests wait for each other. */
  readonly coalesce?: { readonly windowMs: number; readonly maxInputs: number };
  readonly hedge?: Hedge;
}

/** When a second target is asked beside a slow one, and for how many of a hundred requests at the most. */
export type Hedge = { readonly maxPercent: number } & (
  | { readonly afterMs: number }
  | { readonly percentile: number }
);

/** The vocabularies of OpenAI's tokenizers. */
export type VocabularyName = "cl100k_base" | "o200k_base" | "p50k_base" | "r50k_base";

export interface ImageModel extends ModelBase {
  readonly type: "image";
  readonly targets: readonly [Target, ...Target[]];
  readonly profile: ImageProfile;
}

/** What a target takes, for whatever its model makes. */
export type Price = EmbeddingPrice | ImagePrice;

/** What embeddings cost at a target, in US dollars. */
export interface EmbeddingPrice {
  readonly perMillionTokens: number;
}

/**
 * What images cost at a target, in US dollars. Where there are prices of both kinds, tokens decide for an answer that
 * says how many it took, and images for one that does not.
 */
export interface ImagePrice {
  readonly perImage?: number | PricesBySize;
  readonly perMillionInputTokens?: number | { readonly text: number; readonly image: number };
  readonly perMillionOutputTokens?: number;
}

/** Prices by size, and by quality where that matters. `*` stands for every other size or quality. */
export type PricesBySize = Readonly<Record<string, number | Readonly<Record<string, number>>>>;
