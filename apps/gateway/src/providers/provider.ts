import type { z } from "zod";
import type { TakeMemory } from "../domain/call-context.js";
import type { Price, Upstream, VocabularyName } from "../domain/model.js";
import type {
  EmbeddingBatch,
  EmbeddingReply,
  ImageEditRequest,
  ImageReply,
  ImageRequest,
} from "../domain/requests.js";
import type { ImageProfileName } from "../images/options/profiles.js";
import type { BufferPool } from "../runtime/buffer-pool.js";
import type { TurnBatch } from "../runtime/turn-batch.js";

/** A provider: the settings and defaults of its upstreams, and how one is opened. */
export interface Provider {
  readonly name: string;
  /** The settings of an upstream. The configuration's union and its JSON Schema are built from these. */
  readonly settings: z.ZodObject;
  readonly defaults: ProviderDefaults;
  /** @param directory Relative paths in the settings start here. */
  describe(settings: unknown, directory: string): UpstreamDescription;
  open(upstream: Upstream, tools: ProviderTools): Promise<OpenProvider>;
}

export type UpstreamDescription = Omit<Upstream, "name" | "provider">;

/** The defaults for models of a provider. The operator's configuration overrides them. */
export interface ProviderDefaults {
  /** The vocabulary of all of its embedding models. */
  readonly tokenizer?: VocabularyName;
  /** How long vectors are cached; absent: not at all. */
  readonly cacheTtl?: string;
  readonly imageProfile: ImageProfileName;
  /** Its prices; absent: those of the price catalogue. */
  readonly price?: { readonly embedding: Price; readonly image: Price };
}

/** What the process shares between all upstreams. */
export interface ProviderTools {
  /** Memory for large replies. */
  readonly buffers: BufferPool;
  /** Replies that begin in one event-loop turn are read as a group. */
  readonly replies: TurnBatch<() => void>;
}

/** An upstream that is open for calls. */
export interface OpenProvider {
  readonly operations: ProviderOperations;
  /** Why a model cannot be served; undefined when it can. */
  readonly unavailable: (model: string) => Unavailability | undefined;
  readonly close: () => Promise<void>;
}

/**
 * The operations of a provider. One that is left out is not supported, and is never offered. Implemented by
 * `createOpenAiOperations` (openai/openai.ts) and `createLocalOperations` (local/local.ts).
 */
export interface ProviderOperations {
  readonly createEmbedding?: (request: EmbeddingBatch, call: Call) => Promise<EmbeddingReply>;
  readonly createImage?: (request: ImageRequest, call: Call) => Promise<ImageReply>;
  readonly createImageEdit?: (request: ImageEditRequest, call: Call) => Promise<ImageReply>;
}

/** One attempt at one target. */
export interface Call {
  /** The model's name at the upstream. */
  readonly model: string;
  /** Aborts when the caller leaves, or when a hedged attempt was faster. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Trace headers for the upstream. */
  readonly headers?: Readonly<Record<string, string>>;
  /** To be called before a large reply is read. */
  readonly takeMemory?: TakeMemory | undefined;
}

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

interface ProviderDefinition<S extends z.ZodObject> {
  readonly name: string;
  readonly settings: S;
  readonly defaults: ProviderDefaults;
  describe(settings: z.output<S>, directory: string): UpstreamDescription;
  open(settings: z.output<S>, tools: ProviderTools): Promise<OpenProvider>;
}

/** Creates a provider from a definition with typed settings. */
export function defineProvider<S extends z.ZodObject>(definition: ProviderDefinition<S>): Provider {
  const { name, settings: schema, defaults } = definition;
  return {
    name,
    settings: schema,
    defaults,
    describe: (settings, directory) => definition.describe(schema.parse(settings), directory),
    open: (upstream, tools) => definition.open(schema.parse(upstream.settings), tools),
  };
}
