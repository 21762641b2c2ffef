import type { ContentCredentials } from "@model-gateway/domain/content-credentials";
import type { GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { ImageEventJson } from "@model-gateway/domain/requests";
import type { UsedAmounts } from "../../usage/cost.js";

/** A value with the base64 of its image, in one piece. As a string it would be copied and searched as a whole. */
type WithBase64<T> = { [K in keyof T]: K extends "b64_json" ? Buffer : T[K] };

/** The images of a response in the store. */
export type StoredImages = Omit<Schemas["ImagesResponse"], "data"> & {
  readonly data: readonly WithBase64<Schemas["Image"]>[];
};
export type StoredEvent = WithBase64<ImageEventJson>;

/** A response as it is stored: a document, or the completed events of a stream. */
export type StoredResponse = {
  /** The fallback that served the request. */
  readonly servedBy?: string;
  readonly credentials: ContentCredentials;
  /** The usage of the request that created it. */
  readonly creation?: Creation;
} & ({ readonly images: StoredImages } | { readonly events: readonly StoredEvent[] });

/** The usage of the request that created a response. */
export interface Creation {
  readonly requestId: string;
  readonly upstream: string | undefined;
  readonly attempts: number;
  readonly used: UsedAmounts;
}

export interface StoredEntry {
  /** Identifies the request that the response belongs to; see `fingerprint.ts`. */
  readonly fingerprint: string;
  readonly response: StoredResponse;
}

/**
 * Stores responses for a day, and locks. An id is 64 hexadecimal digits, so it can name a file; see `domain/scope-id.ts`. A store
 * that is full evicts: each caller keeps its part.
 */
export interface ResponseStore {
  /** Rejects with `image_store_unavailable` if there is a response that cannot be read now. */
  read(id: string): Promise<StoredEntry | undefined>;
  /**
   * Of all processes that share the store, one at a time acquires the lock and may create the response. The lock outlives
   * a crash. Rejects if a response could not be stored now.
   */
  lock(id: string, fingerprint: string): Promise<LockAttempt>;
  /** Once this has resolved, the response survives a crash of the process. Rejects if it is not stored. */
  write(id: string, entry: StoredEntry): Promise<void>;
  /** Removes expired responses and locks. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** The result of one attempt to acquire the lock. It never waits. */
export type LockAttempt =
  | { readonly kind: "acquired"; readonly lease: LockLease }
  /** Another process has stored the response since `read` found none. */
  | { readonly kind: "stored"; readonly entry: StoredEntry }
  /** There was a lock or a response, and there is no response now: its holder died, or the response was evicted. */
  | { readonly kind: "lost" }
  /** Another process holds the lock, for the request with this fingerprint. */
  | {
      readonly kind: "held";
      readonly fingerprint: string;
      inspect(): Promise<HolderProgress>;
    };

/** The progress of a lock's holder. Once it is not in flight, the response is stored or the lock is free. */
export type HolderProgress =
  | { readonly kind: "in flight" }
  | { readonly kind: "over" }
  | { readonly kind: "failed"; readonly failure: GatewayError };

/** Keeps an acquired lock alive until it is released. When its process dies, the key counts as lost for a day. */
export interface LockLease {
  /**
   * Call it after the response was written, or when there will not be one. A failure is passed on to the processes that
   * wait for the lock. Only the first call counts.
   */
  release(failure?: GatewayError): Promise<void>;
  /** Call it instead when the response was created and could not be stored: it must not be created again. */
  markLost(): Promise<void>;
}
