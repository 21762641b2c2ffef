/** One text for a worker. A worker has at most one at a time, so requests need no number. */
export interface WorkerRequest {
  readonly folder: string;
  readonly maxTokens: number;
  readonly text: string;
}

export type WorkerReply =
  | { readonly kind: "embedded"; readonly vector: Float32Array<ArrayBuffer>; readonly tokenCount: number }
  | { readonly kind: "too-long"; readonly tokenCount: number }
  /** The model could not be loaded. */
  | { readonly kind: "unavailable"; readonly reason: string }
  /** The model was loaded, and failed on this text. */
  | { readonly kind: "failed"; readonly reason: string };
