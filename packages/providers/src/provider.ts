import type { CredentialState } from "@model-gateway/domain/credential-state";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { Upstream } from "@model-gateway/domain/model";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import type { ModelOperation, ModelType } from "@model-gateway/domain/operations";
import type { Price } from "@model-gateway/domain/price";
import type { ProvenanceReply } from "@model-gateway/domain/provenance";
import type {
  ContentBatch,
  EmbeddingBatch,
  EmbeddingReply,
  ImageEditRequest,
  ImageReply,
  ImageRequest,
} from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import type { Clock } from "@model-gateway/runtime/clock";
import type { TurnBatch } from "@model-gateway/runtime/turn-batch";
import type { z } from "zod";
import type { Call, ModelTarget } from "./call.js";
import type { EnvironmentDetection, LoopbackServer } from "./detection.js";
import type { EmbeddingTraits, ImageTraits } from "./traits.js";

/**
 * A provider: the settings and defaults of its upstreams, its models' capabilities, and the function that opens an
 * upstream. One is a folder and a line in the registry. Omit unsupported parts: without `embeddings` it serves no
 * embedding model.
 */
export interface Provider extends ProviderFacts {
  /** @param directory Relative paths in the settings start here. */
  describe(settings: unknown, directory: string): UpstreamDescription;
  open(upstream: Upstream, tools: ProviderTools): Promise<OpenProvider>;
}

/** A model at an upstream. */
export interface ModelAt {
  /** Its name there. */
  readonly name: string;
  readonly type?: ModelType | undefined;
  /** The facts that the catalogue has about it. Absent: none. */
  readonly facts?: ModelFacts | undefined;
  /** Those of its upstream. Of any shape: they may not be checked yet. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The traits of a provider's models, under one key for each model kind: what its dialect fixes, and the facts of a model.
 * Called when the configuration is loaded.
 */
export interface ProviderTraits {
  readonly embeddings?: (model: ModelAt) => EmbeddingTraits;
  readonly images?: (model: ModelAt) => ImageTraits;
}

export interface ProviderFacts extends ProviderTraits {
  /** The value of `provider` in the configuration. */
  readonly name: string;
  /**
   * Its name in OpenTelemetry's conventions for generative AI, if that is another.
   * https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
   */
  readonly genAiName?: string;
  /** Its name in the docs. */
  readonly title: string;
  /** The settings of an upstream. The configuration's union and its JSON Schema are built from these. */
  readonly settings: z.ZodObject;
  readonly defaults: ProviderDefaults;
  /**
   * The models that it has, if that is known without asking an upstream.
   *
   * @param settings Of any shape: they may not be checked yet.
   */
  readonly models?: (settings: Readonly<Record<string, unknown>>) => ModelNames;
  /** Shown in place of models, where the catalogue has none of the provider: names, or words such as "any model". */
  readonly examples?: { readonly [K in keyof ProviderTraits]?: readonly string[] };
  /** The environment variables that make an upstream of it, where there is no configuration file. */
  readonly environment?: EnvironmentDetection;
  /** The servers that are looked for on this machine, where there is no configuration file. */
  readonly servers?: readonly LoopbackServer[];
  /**
   * The kinds of models that an upstream with these settings does not have. Absent: it has all that are declared.
   *
   * @param settings Of any shape: they may not be checked yet.
   */
  readonly lacks?: (settings: Readonly<Record<string, unknown>>) => readonly (keyof ProviderTraits)[];
  /**
   * Whether an upstream with these settings uses credentials of the machine that the gateway runs on. Absent: none does.
   *
   * @param settings Of any shape: they may not be checked yet.
   */
  readonly usesMachineCredentials?: (settings: Readonly<Record<string, unknown>>) => boolean;
  /** The variants of its dialect that the facts of a model may name. Absent: it has one form. */
  readonly variants?: readonly string[];
  /** The facts that a model needs, by its type: a variant, or any at all. Absent: none. */
  readonly needs?: { readonly [T in ModelType]?: "variant" | "facts" };
  /**
   * Why the dialect serves no such model, as a sentence for operators. Undefined where it does. Default: by the variants.
   */
  readonly unserved?: (model: ModelAt) => string | undefined;
  /**
   * The name of a model in the catalogue, where the upstream's is another.
   *
   * @param settings Of any shape: they may not be checked yet.
   */
  readonly nameInCatalogue?: (model: string, settings: Readonly<Record<string, unknown>>) => string;
  /** Whether the list of an upstream has the types of its models. Absent: it may have names alone. */
  readonly listsTypes?: true;
  /** Known services behind its dialect. */
  readonly presets?: readonly ProviderPreset[];
  /** Whether its upstreams check the provenance of images. Absent: they do not. */
  readonly checksProvenance?: true;
}

/** A service whose settings a provider knows by name. Its facts in the catalogue are under the same name. */
export interface ProviderPreset extends Pick<ProviderFacts, "environment"> {
  /** The value of `preset` in the configuration. */
  readonly name: string;
  readonly title: string;
  /** Absent: every customer has another, which must be set. */
  readonly baseUrl: string | undefined;
  /** Whether it needs a key at that address. */
  readonly isKeyRequired: boolean;
  /** The variables that usually have its key. */
  readonly keyVariables: readonly string[];
}

/** Model names, by type. */
export type ModelNames = { readonly [T in ModelType]?: readonly string[] };

/** The defaults for models of a provider. The operator's configuration overrides them. */
export interface ProviderDefaults {
  /** Whether it accepts parameters and model names that the gateway does not know. */
  readonly acceptsUnknown?: true;
  /** Time limit of one attempt, by operation. Absent: the operation's default. */
  readonly timeoutMs?: Partial<Readonly<Record<ModelOperation, number>>>;
  /** Cache lifetime of vectors; absent: not cached. */
  readonly cacheTtl?: string;
  /** Its prices; absent: the catalogue's. */
  readonly price?: { readonly [T in ModelType]?: Price };
}

export type UpstreamDescription = Omit<Upstream, "name" | "provider" | "defaultTimeoutsMs">;

/** The tools shared by all upstreams of a process. */
export interface ProviderTools {
  /** Memory for large replies. */
  readonly buffers: BufferPool;
  /** Replies that begin in one event-loop turn are read as a group. */
  readonly replies: TurnBatch<() => void>;
  /** The monotonic clock, for when credentials expire. */
  readonly clock: Clock;
  /** Milliseconds since 1970, for signatures and tokens that carry a date. */
  readonly timeOfDay: () => number;
  /** The environment of the process, for credentials that a platform provides. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** To be given every credential that is not in the configuration, such as a token that was issued. */
  readonly secrets: Pick<HideSecrets, "learn">;
}

/** An upstream that is open for calls. */
export interface OpenProvider {
  readonly operations: ProviderOperations;
  /** Lists its models. Absent if it has no list that can change. */
  readonly listModels?: ListModels;
  /** Checks the provenance of an image. Present where `checksProvenance` is. */
  readonly checkProvenance?: CheckProvenance;
  /** The state of its credential. Absent if that neither expires nor changes. */
  readonly credential?: () => CredentialState;
  /** Why a model cannot be served; undefined when it can. */
  readonly unavailable: (target: ModelTarget, type: ModelType) => Unavailability | undefined;
  /** Resolves when `unavailable` is final, and never rejects. Absent: it is from the start. */
  readonly checked?: Promise<unknown>;
  readonly close: () => Promise<void>;
}

/**
 * The operations of a provider. One that is left out is not supported, and is never offered. Implemented by
 * `createOpenAiOperations` (dialects/openai/operations.ts), `createLocalOperations` (local/local.ts) and the like.
 */
export interface ProviderOperations {
  readonly createEmbedding?: (request: EmbeddingBatch, call: Call) => Promise<EmbeddingReply>;
  /** The same for inputs with images. Absent: its models take text alone. */
  readonly createContentEmbedding?: (request: ContentBatch, call: Call) => Promise<EmbeddingReply>;
  readonly createImage?: (request: ImageRequest, call: Call) => Promise<ImageReply>;
  readonly createImageEdit?: (request: ImageEditRequest, call: Call) => Promise<ImageReply>;
}

export type CreateEmbedding = NonNullable<ProviderOperations["createEmbedding"]>;
export type CreateContentEmbedding = NonNullable<ProviderOperations["createContentEmbedding"]>;

/** Implemented by `createListModels` (dialects/openai/list-models.ts). */
export type ListModels = (call: Call) => Promise<readonly ListedModel[]>;

/** A model in an upstream's own list. Most lists have only names. */
export interface ListedModel {
  readonly name: string;
  readonly type?: ModelType;
  /** The options of an image model. */
  readonly profile?: ImageProfile;
  /** The most tokens in one input of an embedding model. */
  readonly maxTokens?: number;
}

/** Implemented by `createProvenanceCheck` (dialects/openai/check-provenance.ts). */
export type CheckProvenance = (image: ImageInput, call: Call) => Promise<ProvenanceReply>;

/** Why a model cannot be served: a sentence for callers, and a detail that only the log may see. */
export interface Unavailability {
  readonly reason: string;
  readonly detail: string;
}

/** An upstream of the configuration, and its open provider. */
export interface OpenUpstream {
  readonly upstream: Upstream;
  readonly provider: OpenProvider;
}

/** Why no variant of a dialect serves a model. */
export function unservedVariant(
  { title, variants = [], needs = {} }: Pick<ProviderFacts, "title" | "variants" | "needs">,
  { name, type, facts }: ModelAt,
): string | undefined {
  const variant = facts?.variant;
  const needed = type && needs[type];
  if (variant !== undefined && !variants.includes(variant))
    return `The catalogue has ${name} as "${variant}", which this version of the gateway does not have. Update the gateway.`;
  if (needed === undefined || (needed === "facts" ? facts : variant) !== undefined) return undefined;
  return `The catalogue does not say how ${title} is called for ${name}. Update the catalogue.`;
}

interface ProviderDefinition<S extends z.ZodObject> extends ProviderFacts {
  readonly settings: S;
  describe(settings: z.output<S>, directory: string): UpstreamDescription;
  open(settings: z.output<S>, tools: ProviderTools): Promise<OpenProvider>;
}

/** Creates a provider from a definition with typed settings. */
export function defineProvider<S extends z.ZodObject>(definition: ProviderDefinition<S>): Provider {
  const { settings: schema } = definition;
  return {
    ...definition,
    unserved: definition.unserved ?? ((model) => unservedVariant(definition, model)),
    describe: (settings, directory) => definition.describe(schema.parse(settings), directory),
    open: (upstream, tools) => definition.open(schema.parse(upstream.settings), tools),
  };
}
