import type { DurationHistogram } from "@model-gateway/domain/duration-histogram";
import type { OperationId } from "@model-gateway/domain/operations";
import type { Page, PageRequest } from "@model-gateway/domain/page";
import type { LedgerValues } from "./ledger-columns.js";

/** Selects rows. Times are milliseconds since 1970; `from` is inclusive, `to` is exclusive. */
export interface LedgerFilter {
  readonly from?: number;
  readonly to?: number;
  readonly keyId?: string;
  /** Any of these keys. */
  readonly keyIds?: readonly string[];
  /** The keys of this owner. */
  readonly owner?: OwnerFilter;
  readonly model?: string;
  /** Whether the request named a known model. */
  readonly hasModel?: boolean;
  readonly operation?: OperationId;
  readonly upstream?: string;
  readonly status?: number;
  /** Whether the status is 400 or above, and not that of a caller who left. */
  readonly failed?: boolean;
  /** Whether it succeeded after a call had failed. */
  readonly recovered?: boolean;
  /** Requests that succeeded after a call to this upstream had failed first. */
  readonly recoveredFrom?: string;
  /** Whether an operator in the console or the gateway itself sent it. */
  readonly isInternal?: boolean;
  readonly errorCode?: string;
  readonly cache?: NonNullable<LedgerRow["cache"]>;
  /** Requests that took at least this long. */
  readonly minMs?: number;
  readonly batchId?: string;
  readonly jobId?: string;
  /** Whether the request is a line of a batch. Only `true` selects. */
  readonly isBatched?: true;
}

/** The keys whose current owner this is. */
export interface OwnerFilter {
  readonly name: string;
  /** Those that are not in the database. */
  readonly fileKeyIds: readonly string[];
}

export type UsageGrouping = "key" | "owner" | "model" | "operation" | "upstream" | "batch" | UsageStep;

type UsageStep = "month" | "day" | "hour";

export interface UsageQuery {
  readonly groupBy: readonly UsageGrouping[];
  readonly filter: LedgerFilter;
  /** The owners of keys that are not in the database, to group by. */
  readonly fileOwners?: readonly KeyOwner[];
}

export interface KeyOwner {
  readonly id: string;
  readonly owner: string;
}

/** The usage of one group. Only the fields that were grouped by are present. */
export interface UsageGroup {
  readonly keyId?: string;
  readonly keyName?: string;
  /** The current owner; null for keys without one. */
  readonly owner?: string | null;
  readonly model?: string | null;
  readonly operation?: OperationId;
  /** Null if no upstream was called, or if that is not known. */
  readonly upstream?: string | null;
  readonly batchId?: string;
  /** The start of the UTC month, day or hour. */
  readonly startsAt?: number;
  readonly requests: number;
  /** Requests with status 400 or above, without those whose caller left. */
  readonly failures: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** The cost of the rows whose cost is known. */
  readonly costNanos: number;
  /** The number of rows whose cost is unknown. */
  readonly unpriced: number;
  readonly cachedInputs: number;
  /** The known cost of the cached inputs; null if none is known. */
  readonly savedNanos: number | null;
  /** The durations of the requests. */
  readonly durations: DurationHistogram;
}

/** The permanent storage of the ledger. */
export interface LedgerStore {
  /** Idempotent: a row whose id is stored already is skipped. */
  add(rows: readonly LedgerRow[]): Promise<void>;
  /** One row, by its id. */
  find(id: string): Promise<LedgerRow | undefined>;
  /** Newest first. */
  list(filter: LedgerFilter, page: PageRequest): Promise<Page<LedgerRow>>;
  /** Sorted by time, then by the other groupings. */
  usage(query: UsageQuery): Promise<readonly UsageGroup[]>;
  /** A key's spending since a time, in billionths of a US dollar, with the estimates for unknown costs. */
  spentSince(keyId: string, since: number): Promise<number>;
  /** The same for several keys at once, by id. Keys without a row are absent. */
  spentByKey(keyIds: readonly string[], since: number): Promise<ReadonlyMap<string, KeySpending>>;
  /** The spending of batches, by id. Batches without a row are absent. */
  spentByBatch(batchIds: readonly string[]): Promise<ReadonlyMap<string, BatchSpending>>;
  /** The costs of single rows, by id; null if unknown. Rows that are not stored are absent. */
  costsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number | null>>;
}

/** The spending of a key. */
export interface KeySpending extends Spending {
  /** The estimates for the others. A budget counts them. */
  readonly estimatedNanos: number;
}

/** The cost of rows. */
export interface Spending {
  /** The cost of the rows whose cost is known. */
  readonly costNanos: number;
  /** The number of rows whose cost is unknown. */
  readonly unpriced: number;
}

/** The spending of a batch. */
export interface BatchSpending extends Spending {
  /** The number of rows. */
  readonly requests: number;
}

/** The record of one request: caller, model and usage. Never a prompt, a vector or an image. */
export type LedgerRow = LedgerValues;
