import type { UsageLimits } from "./access-key.js";
import type { InputImageLimits } from "./content-input.js";
import type { ImageProfile, MaskForm } from "./image-profile.js";
import type { InputMedia } from "./media-input.js";
import type { ModelEnd, TargetEnd } from "./model-end.js";
import type { FactsOrigin, ModelFacts } from "./model-facts.js";
import type { ModelOperation, ModelOperations, ModelType } from "./operations.js";
import type { CalibratedDtype } from "./output-dtype.js";
import type { Price } from "./price.js";

/** A service that models run on, as the configuration names it. */
export interface Upstream {
  readonly name: string;
  /** The name of its provider in the registry. */
  readonly provider: string;
  /** Its provider's name in OpenTelemetry's conventions for generative AI, if that is another. */
  readonly genAiProvider?: string;
  /** Absent for models in the gateway's own process. */
  readonly baseUrl?: string;
  readonly hasKey: boolean;
  /** Time limit of one attempt. Absent: the default of its provider, or else of its operation. */
  readonly timeoutMs?: number;
  /** The defaults of its provider. */
  readonly defaultTimeoutsMs?: Partial<Readonly<Record<ModelOperation, number>>>;
  /** Whether links in its replies may be `http` and on a private network. */
  readonly allowPrivateUrls: boolean;
  /** Rules for the upstream's models to offer. Absent: none. */
  readonly discovery?: { readonly everyMs: number; readonly rules: readonly DiscoveryRule[] };
  /** The settings of its provider, which alone knows their type. */
  readonly settings: unknown;
}

/** Models of an upstream's own list that are offered, by their names. */
export interface DiscoveryRule {
  /** Patterns of names. */
  readonly include: readonly string[];
  /** Absent: each model is probed for a vector. */
  readonly type?: ModelType;
  readonly dimensions?: number;
}

/** An upstream, and the model's name there. */
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
    /** The share of them that is kept for interactive calls. Absent: a quarter. */
    readonly interactiveShare?: number;
  };
  /** Absent if it is unknown. A free target has a price of 0. */
  readonly price?: Price;
  /** Whether the price is the catalogue's, so that the cost in a reply counts more. Absent: no. */
  readonly isListPrice?: boolean;
  /** The announced end of the model at its vendor. Absent: none is known. */
  readonly end?: TargetEnd;
  /** The name whose facts hold for it, where the operator has named another. */
  readonly like?: string;
  /** The facts that the catalogue has about it. Absent: none. */
  readonly facts?: ModelFacts;
  readonly factsFrom?: FactsOrigin;
}

/** Equal for two targets that are the same model at the same upstream. */
export function targetKey({ upstream, model }: Pick<Target, "upstream" | "model">): string {
  return JSON.stringify([upstream, model]);
}

/** A target of an embedding model, with the limits for one call. */
export interface EmbeddingTarget extends Target {
  readonly maxInputs: number;
  /** The most inputs of a bulk call. Absent: 64. */
  readonly bulkMaxInputs?: number;
  readonly maxTokensPerRequest: number;
  readonly maxCharactersPerRequest: number;
  /** `emulate` if it does not support `dimensions` and the gateway shortens its vectors. */
  readonly dimensions: "pass" | "emulate";
  /** The only widths it supports. The gateway shortens to any other. Absent: any. */
  readonly widths?: readonly number[];
  /** Its name for `dimensions`. */
  readonly dimensionsField?: string;
  /** The only encoding it supports, or `none` if it does not know the parameter. */
  readonly encoding?: "float" | "base64" | "none";
  /** Its words for `input_type`, or `as-is` if that is passed through. Absent: it has no such parameter. */
  readonly inputTypes?: InputTypeWords | "as-is";
  /** Its name for `input_type`. */
  readonly inputTypeField?: string;
  readonly takesUser: boolean;
  /** Whether its vectors may have another length than 1, so that the gateway normalises them. */
  readonly normalizes: boolean;
  /** The images that it takes. Absent: none. */
  readonly inputImages?: InputImageLimits;
  /** The documents, audio and video that it takes, if it takes images. Absent: none. */
  readonly inputMedia?: InputMedia;
}

/**
 * The provider's words for `input_type`: maps the gateway's and the provider's values to the word that is sent, or to
 * null where the parameter is omitted.
 */
export type InputTypeWords = ReadonlyMap<string, string | null>;

/** The vector space of a target that declares none: its model and the width. */
export function defaultSpace(model: string, dimensions: number | undefined): string {
  return `${model}@${dimensions ?? "any"}`;
}

/** A model that callers name by id, with the targets that serve it. */
export type Model = EmbeddingModel | ImageModel;

export type ModelOfType<T extends ModelType> = Extract<Model, { type: T }>;

/** The models that may serve an operation. */
export type ModelFor<K extends ModelOperation> = {
  [T in ModelType]: K extends ModelOperations[T] ? ModelOfType<T> : never;
}[ModelType];

/** Selection of a target within a tier. */
export type Strategy = "fastest" | "weighted" | "ordered";

/** The fields of every model but its targets. */
export interface ModelBase {
  readonly id: string;
  readonly strategy: Strategy;
  /** Time limit of a request: all of its attempts and the waits between them. */
  readonly deadlineMs: number;
  /** The most retries of a request. Absent: it depends on the number of targets. */
  readonly retries?: { readonly max: number };
  /** Absent: a slow call is waited for. */
  readonly hedge?: Hedge;
  readonly description?: string;
  /** The announced end of the model: the operator's, or else that of its last target. */
  readonly end?: ModelEnd;
  /** Other ids under which callers may request it. */
  readonly aliases?: readonly string[];
  /** Whether it was found in its upstream's list. */
  readonly discovered?: boolean;
  /** The pattern of the configuration that its id fits. */
  readonly pattern?: string;
  /** The upstream or the target that a request was sent to on purpose. Such requests share no calls with others. */
  readonly pinnedTo?: string;
  /** Parameters beyond the spec that all of its targets accept. */
  readonly passThrough?: readonly string[];
  /** Limits for all callers together. */
  readonly limits?: UsageLimits;
}

/** Whether an id is a pattern. */
export function isPattern(id: string): boolean {
  return id.includes("*");
}

/** The id of the configuration under which a model is counted: in limits, metrics and the ledger. */
export function countedAs({ id, pattern }: { readonly id: string; readonly pattern?: string }): string {
  return pattern ?? id;
}

/** The ids under which callers may request a model. */
export function namesOf({ id, aliases = [] }: Model): string[] {
  return [id, ...aliases];
}

/** How long small requests wait for each other, and how many inputs end the wait. */
export interface CoalesceWindow {
  readonly windowMs: number;
  /** Whether it begins again with each input. Absent: it begins with the first. */
  readonly isSinceLast?: boolean;
  readonly maxInputs: number;
}

export interface EmbeddingModel extends ModelBase {
  readonly type: "embedding";
  readonly targets: readonly [EmbeddingTarget, ...EmbeddingTarget[]];
  /** The vector space of all its targets. Vectors of one space can be compared; those of two cannot. */
  readonly space: string;
  /** Changed by the operator when the vectors behind the same name have changed. */
  readonly revision?: string;
  /** The id of its space without accepted revisions, where there are some. The recorded vectors are under this id. */
  readonly configuredSpace?: string;
  /** Whether all of its vectors have the length 1: the provider says so, or the gateway normalises them. */
  readonly unitVectors: boolean;
  /** The native width of its vectors. */
  readonly dimensions?: number;
  /** Whether the model was trained so that its vectors may be shortened. */
  readonly matryoshka: boolean;
  /** The most inputs in one request. It does not depend on the limits of the targets. */
  readonly maxInputs: number;
  /** The most tokens in one input. */
  readonly maxTokens?: number;
  /** The quantised types that all its targets can make. Absent: none. */
  readonly outputDtypes?: ReadonlySet<CalibratedDtype>;
  /** The values of `input_type` that all its targets support. Absent: it has no such parameter. */
  readonly inputTypes?: ReadonlySet<string> | "any";
  /** The input type of requests that name none. */
  readonly inputType?: string;
  /** The vocabulary of the model's tokens, if it accepts token ids. */
  readonly tokenizer?: VocabularyName;
  /** The vocabulary of callers' token ids, if it is another. */
  readonly clientTokenizer?: VocabularyName;
  /** The images that every target takes which takes any. Absent: none does. */
  readonly inputImages?: InputImageLimits;
  /** The documents, audio and video that every target takes which takes images. Absent: none. */
  readonly inputMedia?: InputMedia;
  readonly cache?: { readonly ttlMs: number; readonly countTokens: boolean };
  /** Time that small requests wait for each other, and the most inputs in a joined call. */
  readonly coalesce?: CoalesceWindow;
  /** The model that also embeds this percentage of the inputs, so that a switch begins with a full cache. */
  readonly shadow?: { readonly model: string; readonly percent: number };
}

/** When a second target is called beside a slow one, and the maximum percentage of requests that may do so. */
export type Hedge = { readonly maxPercent: number } & (
  | { readonly afterMs: number }
  | { readonly percentile: number }
);

/** OpenAI's vocabularies. */
export type VocabularyName = "cl100k_base" | "o200k_base" | "p50k_base" | "r50k_base";

export interface ImageModel extends ModelBase {
  readonly type: "image";
  readonly targets: readonly [ImageTarget, ...ImageTarget[]];
  readonly profile: ImageProfile;
  /** The model that serves a request when no target of this one can. */
  readonly fallback?: string;
}

/** A target of an image model. */
export interface ImageTarget extends Target {
  /** The form in which it wants a mask. Absent: it takes none. */
  readonly mask?: MaskForm;
}
