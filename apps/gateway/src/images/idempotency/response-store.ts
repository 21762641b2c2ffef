import type { ImageEvent } from "../../domain/requests.js";
import type { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";

/** What is stored for an answered request: a JSON document or the finished events of a stream. */
export type StoredResponse =
  | { readonly images: Schemas["ImagesResponse"] }
  | { readonly events: readonly ImageEvent[] };

export interface StoredEntry {
  /** What was asked; see `request-fingerprint.ts`. */
  readonly fingerprint: string;
  readonly response: StoredResponse;
}

/** Where answers are kept for a day. An id is 64 hexadecimal digits, so that it may name a file. */
export interface ResponseStore {
  read(id: string): Promise<StoredEntry | undefined>;
  /** Of all the processes that share the store, one has the right to make an answer. */
  lock(id: string, fingerprint: string): Promise<LockAttempt>;
  /** The answer outlives the process once this has returned. */
  write(id: string, entry: StoredEntry): Promise<void>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export type LockAttempt =
  | { readonly kind: "mine"; readonly lease: LockLease }
  /** The answer has come while nobody looked. */
  | { readonly kind: "stored"; readonly entry: StoredEntry }
  | {
      readonly kind: "theirs";
      readonly fingerprint: string;
      /** How far they are. Once it is over, an answer is stored or the right is free. */
      look(): Promise<HolderProgress>;
    };

export type HolderProgress =
  | { readonly kind: "under way" }
  | { readonly kind: "over" }
  | { readonly kind: "failed"; readonly failure: GatewayError };

/** The right to make an answer. It is kept up until it is released, and ends by itself with its process. */
export interface LockLease {
  /**
   * After the answer was written, or when there will be none; a failure is told to those who wait elsewhere. Only the
   * first call counts.
   */
  release(failure?: GatewayError): Promise<void>;
}
