import type { Page, PageRequest } from "../../domain/page.js";
import type { OperationId } from "../../operations.js";

/** What a row must be to be counted or listed. Times are milliseconds since 1970: from is included, to is not. */
export interface LedgerFilter {
  readonly from?: number;
  readonly to?: number;
  readonly keyId?: string;
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

/** What was used by one group. Only what was grouped by is there. */
export interface UsageGroup {
  readonly keyId?: string;
  readonly keyName?: string;
  readonly model?: string | null;
  /** The beginning of the day or hour, in UTC. */
  readonly startsAt?: number;
  readonly requests: number;
  /** Those with a status of 400 and above. */
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** What the rows with a known price cost. */
  readonly costNanos: number;
  /** How many rows have no known price. */
  readonly unpriced: number;
}

/** Where the ledger is kept for good. */
export interface LedgerStore {
  /** Rows that are there already, by id, stay as they are. */
  add(rows: readonly LedgerRow[]): Promise<void>;
  /** Newest first. */
  list(filter: LedgerFilter, page: PageRequest): Promise<Page<LedgerRow>>;
  /** Sorted by time, then by the rest. */
  usage(query: UsageQuery): Promise<readonly UsageGroup[]>;
  /** What a key has spent since a time, in billionths of a US dollar. */
  spentSince(keyId: string, since: number): Promise<number>;
}

/** What is kept of a request: who, what, how much. Never a prompt, a vector or an image. */
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
