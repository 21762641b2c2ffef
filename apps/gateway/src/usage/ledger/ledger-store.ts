import type { Page, PageRequest } from "../../domain/page.js";
import type { OperationId } from "../../operations.js";

/** Selects rows. Times are milliseconds since 1970; `from` is inclusive, `to` is exclusive. */
export interface LedgerFilter {
  readonly from?: number;
  readonly to?: number;
  readonly keyId?: string;
  /** Any of these keys. */
  readonly keyIds?: readonly string[];
  readonly model?: string;
  readonly operation?: OperationId;
  readonly status?: number;
  readonly errorCode?: string;
}

export type UsageGrouping = "key" | "model" | "day" | "hour";

export interface UsageQuery {
  readonly groupBy: readonly UsageGrouping[];
  readonly filter: LedgerFilter;
}

/** The usage of one group. Only the fields that were grouped by are present. */
export interface UsageGroup {
  readonly keyId?: string;
  readonly keyName?: string;
  readonly model?: string | null;
  /** The start of the UTC day or hour. */
  readonly startsAt?: number;
  readonly requests: number;
  /** Requests with status 400 or above. */
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** The cost of the rows whose cost is known. */
  readonly costNanos: number;
  /** The number of rows whose cost is unknown. */
  readonly unpriced: number;
}

/** The permanent storage of the ledger. */
export interface LedgerStore {
  /** Idempotent: a row whose id is stored already is skipped. */
  add(rows: readonly LedgerRow[]): Promise<void>;
  /** Newest first. */
  list(filter: LedgerFilter, page: PageRequest): Promise<Page<LedgerRow>>;
  /** Sorted by time, then by the other groupings. */
  usage(query: UsageQuery): Promise<readonly UsageGroup[]>;
  /** What a key has spent since a time, in billionths of a US dollar. */
  spentSince(keyId: string, since: number): Promise<number>;
  /** The same for several keys at once, by id. Keys without a row are absent. */
  spentByKey(keyIds: readonly string[], since: number): Promise<ReadonlyMap<string, number>>;
}

/** The record of one request: who, what, how much. Never a prompt, a vector or an image. */
export interface LedgerRow {
  /** The `x-request-id`. */
  readonly id: string;
  /** The arrival time: milliseconds since 1970. */
  readonly at: number;
  readonly keyId: string;
  readonly keyName: string;
  readonly operation: OperationId;
  /** Null if the request names no known model. */
  readonly model: string | null;
  /** The upstream of the last attempt; null if none was called, or if the caller left before that was known. */
  readonly upstream: string | null;
  /** 0 where `upstream` is null. */
  readonly attempts: number;
  /** 499 if the caller left before the response was complete. */
  readonly status: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** In billionths of a US dollar; null if the cost is unknown. */
  readonly costNanos: number | null;
  readonly ms: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly cache: "hit" | "partial" | "miss" | null;
  readonly errorCode: string | null;
}
