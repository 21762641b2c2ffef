import type { UsageLimits } from "./access-key.js";
import type { ImageProfile } from "./image-profile.js";

/** A service that models run on, as the configuration names it. */
export interface Upstream {
  readonly name: string;
  /** The name of its provider in the registry. */
  readonly provider: string;
  /** Absent for models in the gateway's own process. */
  readonly baseUrl?: string;
  readonly hasKey: boolean;
  /** How long one attempt may take. Absent: the default of its operation. */
  readonly timeoutMs?: number;
  /** Whether links in its replies may be `http` and on a private network. */
  readonly allowPrivateUrls: boolean;
  /** The settings of its provider, which alone knows their type. */
  readonly settings: unknown;
}

/** Where a model is served: an upstream, and the model's name there. */
export interface Target {
  readonly upstream: string;
  readonly model: string;
  readonly weight: number;
  readonly tier: number;
  /** The limits of the target. Calls beyond them wait. */
  readonly capacity: {
    readonly maxConcurrency?: number;
    readonly requestsPerMinute?: number;
    readonly tokensPerMinute?: number;
  };
  /** Absent if it is unknown. A free target has a price of 0. */
  readonly price?: Price;
}

/** Equal for two targets that are the same model at the same upstream. */
export function targetKey({ upstream, model }: Pick<Target, "upstream" | "model">): string {
  return JSON.stringify([upstream, model]);
}

/** A target of an embedding model, with the limits of one call to it. */
export interface EmbeddingTarget extends Target {
  readonly maxInputs: number;
  readonly maxTokensPerRequest: number;
  /** `emulate` if it does not support `dimensions` and the gateway shortens its vectors. */
  readonly dimensions: "pass" | "emulate";
  /** Its name for `dimensions`. */
  readonly dimensionsField?: string;
  /** The only encoding it supports, or `none` if it does not know the parameter. */
  readonly encoding?: "float" | "base64" | "none";
}

/** The vector space of a target that declares none: its model and the width. */
export function defaultSpace(model: string, dimensions: number | undefined): string {
  return `${model}@${dimensions ?? "any"}`;
}

/** What callers ask for by id, and the targets that serve it. */
export type Model = EmbeddingModel | ImageModel;

/** How a target is selected within a tier. */
export type Strategy = "fastest" | "weighted" | "ordered";

interface ModelBase {
  readonly id: string;
  readonly strategy: Strategy;
  /** How long a request may take: all of its attempts and the waits between them. */
  readonly deadlineMs: number;
  /** The most retries of a request. Absent: it depends on the number of targets. */
  readonly retries?: { readonly max: number };
  readonly description?: string;
  /** Limits for all callers together. */
  readonly limits?: UsageLimits;
}

export interface EmbeddingModel extends ModelBase {
  readonly type: "embedding";
  readonly targets: readonly [EmbeddingTarget, ...EmbeddingTarget[]];
  /** The vector space of all its targets. Vectors of one space can be compared; those of two cannot. */
  readonly space: string;
  /** The native width of its vectors. */
  readonly dimensions?: number;
  /** Whether the model was trained so that its vectors may be shortened. */
  readonly matryoshka: boolean;
  /** The most inputs in one request. It does not depend on the limits of the targets. */
  readonly maxInputs: number;
  readonly maxTokens?: number;
  /** The vocabulary of its own tokens, if it accepts token ids. */
  readonly tokenizer?: VocabularyName;
  /** The vocabulary of callers' token ids, if it is another. */
  readonly clientTokenizer?: VocabularyName;
  readonly cache?: { readonly ttlMs: number; readonly countTokens: boolean };
  /** How long small requests wait for each other, and the most inputs of a joined call. */
  readonly coalesce?: { readonly windowMs: number; readonly maxInputs: number };
  readonly hedge?: Hedge;
}

/** When a second target is called beside a slow one, and the maximum percentage of requests that may do so. */
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

/** The price at a target, by the type of its model. */
export type Price = EmbeddingPrice | ImagePrice;

/** The price of embeddings, in US dollars. */
export interface EmbeddingPrice {
  readonly perMillionTokens: number;
}

/**
 * The price of images, in US dollars. With both kinds of price, a reply that reports its tokens is priced by tokens, and
 * any other by images.
 */
export interface ImagePrice {
  readonly perImage?: number | PricesBySize;
  readonly perMillionInputTokens?: number | { readonly text: number; readonly image: number };
  readonly perMillionOutputTokens?: number;
}

/** Prices by size, or by size and quality. `*` matches every other size or quality. */
export type PricesBySize = Readonly<Record<string, number | Readonly<Record<string, number>>>>;
