import type { Generated } from "kysely";
import type { Priority } from "../../domain/access-key.js";
import type { StoredSession } from "../../sessions/session-store.js";
import type { LedgerRow } from "../../usage/ledger/ledger-store.js";
import type {
  BatchCostTable,
  BatchPartTable,
  BatchTable,
  DeliveryTable,
  FileTable,
  JobProgressTable,
  JobTable,
} from "./work-tables.js";

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
  readonly space_comparisons: SpaceComparisonTable;
  readonly files: FileTable;
  readonly batches: BatchTable;
  readonly batch_parts: BatchPartTable;
  readonly batch_costs: BatchCostTable;
  readonly jobs: JobTable;
  readonly job_progress: JobProgressTable;
  readonly webhook_deliveries: DeliveryTable;
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

/**
 * Counters that are changed inside a transaction, so that their order is the order of the commits. That of
 * `stored_responses` is the number of their bytes.
 */
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
  /** JSON. */
  readonly failed_attempts: string | null;
  /** The upstream of the first of them. */
  readonly recovered_from: string | null;
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
  /** That of the texts and images. */
  readonly texts_version: number;
  readonly width: number;
  /** The vectors of all texts, one after the other: 32-bit floats, little-endian. */
  readonly vectors: Buffer;
  /** The same of all images, from the first target that takes them. Null before. */
  readonly image_vectors: Buffer | null;
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
  /** Null for a target that takes no images. */
  readonly image_vectors: Buffer | null;
  /** Null where there is no reference. */
  readonly cosine_min: number | null;
  readonly image_cosine_min: number | null;
}

/** The last comparison of a model's targets. */
export interface SpaceComparisonTable {
  readonly model: string;
  readonly compared_at: number;
  /** JSON. */
  readonly result: string;
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
