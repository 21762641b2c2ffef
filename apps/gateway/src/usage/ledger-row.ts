import type { OperationId } from "../operations.js";

/** What is kept of a request: who, what, how much. Never a prompt, a vector or a picture. */
export interface LedgerRow {
  /** The `x-request-id`. */
  readonly id: string;
  /** When it came: milliseconds since 1970. */
  readonly at: number;
  readonly keyId: string;
  readonly keyName: string;
  readonly operation: OperationId;
  /** Null where no model could be made out. */
  readonly model: string | null;
  /** The upstream that was asked last, and how many tries there were; null and 0 where none was, or is known of. */
  readonly upstream: string | null;
  readonly attempts: number;
  /** 499 where the caller left before the answer was complete. */
  readonly status: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** In billionths of a US dollar; null where the price is not known. */
  readonly costNanos: number | null;
  readonly ms: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly cache: "hit" | "partial" | "miss" | null;
  readonly errorCode: string | null;
}
