/** Runs embedding models on this machine, away from the event loop. */
export interface EmbeddingEngine {
  /** What the files allow: a model whose files are missing or altered is named here with the reason. */
  readonly models: ReadonlyMap<string, LocalModelState>;

  /**
   * One vector of length 1 for each text, in the order given.
   * Rejects with InputTooLongError, ModelUnavailableError, EngineBusyError, EngineClosedError,
   * EmbeddingFailedError, or with the signal's reason.
   */
  embed(model: string, texts: readonly string[], signal?: AbortSignal): Promise<EmbeddingResult>;

  /** Loads the model in every idle worker, so that the first caller does not wait for it; proves that it runs. */
  warm(model: string): Promise<void>;

  /** Ends every worker; calls that still wait are rejected with EngineClosedError. */
  close(): Promise<void>;
}

export interface EmbeddingResult {
  readonly vectors: readonly Float32Array[];
  /** Tokens the model read for each text, special tokens included. */
  readonly tokenCounts: readonly number[];
}

export type LocalModelState =
  | {
      readonly id: string;
      readonly available: true;
      readonly dimensions: number;
      readonly maxTokens: number;
    }
  | { readonly id: string; readonly available: false; readonly reason: string };
