import type {
  EmbeddingBatch,
  EmbeddingReply,
  ImageEditRequest,
  ImageReply,
  ImageRequest,
} from "../domain/requests.js";

/** One provider's dialect. An operation left out is not supported, and is never offered. */
export interface ProviderOperations {
  readonly createEmbedding?: (request: EmbeddingBatch, call: Call) => Promise<EmbeddingReply>;
  readonly createImage?: (request: ImageRequest, call: Call) => Promise<ImageReply>;
  readonly createImageEdit?: (request: ImageEditRequest, call: Call) => Promise<ImageReply>;
}

/** One try at one target. */
export interface Call {
  /** The model's name at the upstream. */
  readonly model: string;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What goes with the call, so that the upstream can continue a trace. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a model cannot be served: a sentence for callers, and what only the log may see. */
export interface Unavailability {
  readonly reason: string;
  readonly detail: string;
}

/** An upstream that is open for calls. */
export interface OpenProvider {
  readonly operations: ProviderOperations;
  /** Why a model cannot be served, or undefined when it can. */
  readonly unavailable: (model: string) => Unavailability | undefined;
  readonly close: () => Promise<void>;
}
