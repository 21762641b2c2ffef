import type { BatchEnd, BatchStatus } from "../../batches/batch.js";
import type { WebhookEvent } from "../../domain/webhook.js";
import type { FilePurpose } from "../../files/file-index.js";
import type { Job } from "../../jobs/job.js";

/** An image request that runs without its connection. */
export interface JobTable {
  readonly id: string;
  readonly key_id: string;
  /** Of the key, when the row was created. The same in `FileTable` and `BatchTable`. */
  readonly owner: string | null;
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
  /** Only processes of this site claim it. Null: any. */
  readonly site: string | null;
  /** JSON. */
  readonly failure: string | null;
  /** JSON. Empty once the job has ended. */
  readonly request: string;
}

/** The latest partial image of a running job. */
export interface JobProgressTable {
  readonly job_id: string;
  /** JSON. */
  readonly content: string;
}

/** A file of a caller. Its bytes are on disk or in a bucket. */
export interface FileTable {
  /** Ids sort by creation. */
  readonly id: string;
  readonly key_id: string;
  readonly owner: string | null;
  readonly purpose: FilePurpose;
  readonly filename: string;
  readonly bytes: number;
  readonly created_at: number;
  readonly expires_at: number;
  /** Where its bytes are. Null in rows of earlier versions. */
  readonly site: string | null;
}

/** The columns of a table whose rows are leased. */
export interface LeasedColumns {
  readonly id: string;
  /** Only processes of this site claim the row. */
  readonly site: string;
  readonly state: LeaseState;
  /** The order in which the items of a key, or of a webhook, are claimed. */
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
  readonly key_id: string;
  readonly key_name: string;
  readonly owner: string | null;
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
  readonly key_id: string;
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

/** An event on its way to one webhook. */
export interface DeliveryTable extends LeasedColumns {
  /** A digest of its address. */
  readonly webhook: string;
  readonly message_id: string;
  readonly type: WebhookEvent["type"];
  /** JSON. */
  readonly body: string;
  readonly created_at: number;
}
