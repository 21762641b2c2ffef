import type { ImageEvent } from "../domain/requests.js";
import type { Schemas } from "../operations.js";

/** What is stored for an answered request: a JSON document or the finished events of a stream. */
export type StoredAnswer =
  | { readonly images: Schemas["ImagesResponse"] }
  | { readonly events: readonly ImageEvent[] };

export interface StoredEntry {
  /** What was asked; see `request-fingerprint.ts`. */
  readonly fingerprint: string;
  readonly answer: StoredAnswer;
}

/** Where answers are kept for a day. An id is 64 hexadecimal digits, so that it may name a file. */
export interface AnswerStore {
  read(id: string): Promise<StoredEntry | undefined>;
  /** The answer outlives the process once this has returned. */
  write(id: string, entry: StoredEntry): Promise<void>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
