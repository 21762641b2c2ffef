import type { Generated } from "kysely";
import type { BatchEnd, BatchStatus } from "../../batches/batch.js";
import type { Priority } from "../../domain/access-key.js";
import type { FilePurpose } from "../../files/file-index.js";
import type { Job } from "../../jobs/job.js";
import type { StoredSession } from "../../sessions/session-store.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";

export type DatabaseKind = "sqlite" | "postgres";

/** The schema. Times are milliseconds since 1970; booleans are 0 or 1. */
export interface Tables {
  readonly access_keys: AccessKeyTable;
  readonly old_secrets: OldSecretTable;
  readonly revisions: RevisionTable;
  readonly ledger_rows: LedgerRowTable;
  readonly usage_hours: UsageTable;
  readonly usage_days: UsageTable;
  readonly settings: SettingTable;
  readonly stored_responses: StoredResponseTable;
  readonly response_locks: ResponseLockTable;
  readonly budget_alerts: BudgetAlertTable;
  readonly sessions: SessionTable;
  readonly vector_spaces: VectorSpaceTable;
  readonly space_references: SpaceReferenceTable;
  readonly space_checks: SpaceCheckTable;
  readonly files: FileTable;
  readonly batches: BatchTable;
  readonly batch_parts: BatchPartTable;
  readonly batch_costs: BatchCostTable;
  readonly jobs: JobTable;
}

export interface AccessKeyTable {
  readonly id: string;
  /** Increases with every change of any key. */
  readonly revision: number;
  readonly digest: Buffer;
  readonly last_four: string;
  /** JSON; null if there are none. */
  readonly old_secrets: string | null;
  readonly name: string;
  readonly owner: string | null;
  /** `models`, `limits` and `budget` are JSON. */
  readonly models: string | null;
  readonly limits: string;
  readonly budget: string | null;
  readonly priority: Priority;
  readonly expires_at: number | null;
  readonly is_disabled: number;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
}

/** Finds the key of an earlier secret. The row of the key says whether the secret works. */
export interface OldSecretTable {
  readonly digest: Buffer;
  readonly key_id: string;
}

/** Counters that are incremented inside a transaction, so that their order is the order of the commits. */
export interface RevisionTable {
  readonly name: "access_keys" | "stored_responses" | "files";
  readonly value: Generated<number>;
}

export interface LedgerRowTable {
  readonly id: string;
  readonly at: number;
  readonly key_id: string;
  readonly key_name: string;
  readonly operation: LedgerRow["operation"];
  readonly model: string | null;
  readonly upstream: string | null;
  readonly attempts: number;
  readonly status: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly images: number;
  readonly cost_nanos: number | null;
  readonly ms: number;
  readonly request_bytes: number;
  readonly response_bytes: number;
  readonly cache: LedgerRow["cache"];
  readonly error_code: string | null;
  readonly tokens_estimated: number;
  readonly cached_inputs: number;
  /** Null if nothing was cached, or if the price is unknown. */
  readonly saved_nanos: number | null;
  /** JSON. */
  readonly failure: string | null;
  readonly batch_id: string | null;
  readonly content_credentials: LedgerRow["contentCredentials"];
  readonly job_id: string | null;
}

/** Rollups of the ledger by hour or day. */
export interface UsageTable {
  readonly starts_at: number;
  readonly key_id: string;
  /** Empty instead of null: nulls are distinct in a unique index. */
  readonly model: string;
  readonly operation: LedgerRow["operation"];
  /** Empty instead of null, as `model`. */
  readonly upstream: string;
  /** The last known name of the key. */
  readonly key_name: string;
  readonly requests: number;
  readonly failures: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly images: number;
  readonly cost_nanos: number;
  readonly unpriced: number;
  readonly cached_inputs: number;
  /** Null if nothing was cached, or if no price is known. */
  readonly saved_nanos: number | null;
  /** The number of requests in each `DurationHistogram` bucket. Null instead of 0. */
  readonly [duration: DurationColumn]: number | null;
}

export type DurationColumn = `duration_${number}`;

export interface SettingTable {
  readonly name: string;
  readonly value: string;
}

/** A response stored under its Idempotency-Key. */
export interface StoredResponseTable {
  readonly id: string;
  readonly written_at: number;
  readonly bytes: number;
  /** JSON. */
  readonly content: string;
}

/** An alert that a key has spent a share of its budget. */
export interface BudgetAlertTable {
  readonly id: string;
  /** Until then, only one replica may send it. */
  readonly lease_until: number;
  readonly sent_at: number | null;
  readonly expires_at: number;
}

export interface SessionTable {
  readonly id: string;
  readonly digest: Buffer;
  readonly kind: StoredSession["kind"];
  /** A key's id, or a mark for the admin key. */
  readonly granted_by: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** A vector space, as the configuration describes it. */
export interface VectorSpaceTable {
  readonly id: string;
  /** Number of accepted changes of vectors. */
  readonly accepted: number;
}

/** The vectors that the targets of a space are compared with. */
export interface SpaceReferenceTable {
  readonly space: string;
  /** Empty instead of null, as part of the primary key. */
  readonly input_type: string;
  readonly texts_version: number;
  readonly width: number;
  /** All vectors, one after the other: 32-bit floats, little-endian. */
  readonly vectors: Buffer;
  readonly recorded_at: number;
}

/** The latest vectors of a target, and how far they are from the reference. */
export interface SpaceCheckTable {
  readonly space: string;
  readonly upstream: string;
  readonly model: string;
  /** Until then, one replica alone checks the target. */
  readonly lease_until: number;
  /** Null before the first check has succeeded. */
  readonly checked_at: number | null;
  readonly input_type: string;
  readonly texts_version: number;
  readonly width: number | null;
  readonly vectors: Buffer | null;
  /** Null where there is no reference. */
  readonly cosine_min: number | null;
}

/** An image request that runs without its connection. */
export interface JobTable {
  readonly id: string;
  readonly key_id: string;
  readonly operation: Job["operation"];
  readonly model: string;
  readonly status: Job["status"];
  readonly request_id: string;
  /** The id under which its response is stored. */
  readonly scope: string;
  readonly fingerprint: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly expires_at: number;
  /** A queued job runs from then on. */
  readonly available_at: number;
  /** The process that runs it, and until when. Null unless it is in progress. */
  readonly holder: string | null;
  readonly lease_until: number | null;
  readonly is_cancelled: number;
  readonly input_bytes: number;
  /** JSON. */
  readonly failure: string | null;
  /** JSON. Empty once the job has ended. */
  readonly request: string;
}

/** A lock on an Idempotency-Key: its holder creates the response. */
export interface ResponseLockTable {
  readonly id: string;
  readonly fingerprint: string;
  /** Unique for each lock, so that a holder never releases the lock of another. */
  readonly holder: string;
  readonly expires_at: number;
  /** JSON: why there is no response, for the waiters. */
  readonly failure: string | null;
}

/** A file of a caller. Its bytes are on disk or in a bucket. */
export interface FileTable {
  /** Ids sort by creation. */
  readonly id: string;
  readonly key_id: string;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly bytes: number;
  readonly created_at: number;
  readonly expires_at: number;
}

/** The columns of a table whose rows are leased. */
export interface LeasedColumns {
  readonly id: string;
  readonly key_id: string;
  /** Only processes of this site claim the row. */
  readonly site: string;
  readonly state: LeaseState;
  /** The order in which the items of a key are claimed. */
  readonly position: number;
  /** The end of the lease of a running item, or of the pause of a delayed one. */
  readonly lease_until: number;
  readonly holder: string | null;
  /** How often it was claimed. */
  readonly attempts: number;
}

/** `idle` and `done` are not claimed: the row waits for something else, or nothing is left to do. */
export type LeaseState = "queued" | "running" | "delayed" | "idle" | "done";

/** A batch. Its file is checked and its output is written under a lease of the row. */
export interface BatchTable extends LeasedColumns {
  readonly key_name: string;
  readonly status: BatchStatus;
  /** How it ends, once that is decided. */
  readonly outcome: BatchEnd | null;
  readonly endpoint: string;
  readonly model: string | null;
  readonly input_file_id: string;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  /** The address at which its caller reaches the gateway. */
  readonly origin: string;
  /** JSON. */
  readonly metadata: string | null;
  readonly output_ttl_ms: number | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly in_progress_at: number | null;
  readonly finalizing_at: number | null;
  readonly cancelling_at: number | null;
  readonly ended_at: number | null;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly parts: number;
  readonly parts_done: number;
  /** JSON. */
  readonly faults: string | null;
}

/** A rollup of the ledger by batch. */
export interface BatchCostTable {
  readonly batch_id: string;
  readonly requests: number;
  /** The known costs. */
  readonly cost_nanos: number;
  /** The number of rows whose cost is unknown. */
  readonly unpriced: number;
}

/** Lines of a batch that run together. */
export interface BatchPartTable extends LeasedColumns {
  readonly batch_id: string;
  /** Counted from 0, in the order of the file. */
  readonly number: number;
  /** The bytes of the lines in the input file. */
  readonly starts_at: number;
  readonly ends_at: number;
  /** Counted from 1. */
  readonly first_line: number;
  readonly lines: number;
  /** JSON: the numbers of the lines that have not ended. Null before the first line has. */
  readonly pending: string | null;
  /** JSON: the stored results. */
  readonly segments: string;
}
