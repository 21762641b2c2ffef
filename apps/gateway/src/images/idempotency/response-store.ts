import type { ContentCredentials } from "../../domain/content-credentials.js";
import type { ImageEventJson } from "../../domain/requests.js";
import type { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import type { UsedAmounts } from "../../usage/cost.js";

/** A response as it is stored: a JSON document, or the completed events of a stream. */
export type StoredResponse = {
  /** The fallback that served the request. */
  readonly servedBy?: string;
  /** Absent in responses of earlier versions. */
  readonly credentials?: ContentCredentials;
  /** The usage of the request that created it. */
  readonly creation?: Creation;
} & ({ readonly images: Schemas["ImagesResponse"] } | { readonly events: readonly ImageEventJson[] });

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

/** Stores responses for a day, and locks. An id is 64 hexadecimal digits, so it can name a file. */
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
