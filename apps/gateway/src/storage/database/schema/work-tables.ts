import type { WebhookEvent } from "@model-gateway/domain/webhook";
import type { BatchEnd, BatchStatus } from "../../../batches/batch.js";
import type { FilePurpose } from "../../../files/file-index.js";
import type { Job, JobOutcome } from "../../../jobs/job.js";
import {
  compressed,
  defineTable,
  integer,
  nullable,
  primaryKey,
  type RowOf,
  type TableIndexes,
  text,
  unique,
} from "../define-table.js";

/** `idle` and `done` are not claimed: the row waits for something else, or nothing is left to do. */
type LeaseState = "queued" | "running" | "delayed" | "idle" | "done";

/** The columns of a table whose rows are leased. */
const leasedColumns = {
  id: primaryKey(text()),
  /** Only processes of this site claim the row; see `anySite`. */
  site: text(),
  state: text<LeaseState>(),
  /** The order in which the items of a key, or of a webhook, are claimed. */
  position: integer(),
  /** The end of the lease of a running item, or of the pause of a delayed one. */
  lease_until: integer(),
  holder: nullable(text()),
  /** How often it was claimed. */
  attempts: integer(),
};

export type LeasedColumns = RowOf<typeof leasedColumns>;

/** Queued rows by whose turn it is, and the few rows under a lease. */
function leasedIndexes(turnBy: "key_id" | "webhook"): TableIndexes {
  return {
    queued: `(site, ${turnBy}, position, id) where state = 'queued'`,
    leased: `(${turnBy}, lease_until) where state in ('running', 'delayed')`,
  };
}

/** Files, and the work that runs without its connection. */
export const workTables = {
  /** A file of a caller. Its bytes are on disk or in a bucket. */
  files: defineTable(
    {
      /** Ids sort by creation. */
      id: primaryKey(text()),
      key_id: text(),
      /** Of the key, when the row was created. The same in `jobs` and `batches`. */
      owner: nullable(text()),
      purpose: text<FilePurpose>(),
      filename: text(),
      bytes: integer(),
      created_at: integer(),
      expires_at: integer(),
      /** Where its bytes are. */
      site: text(),
      /** The images behind its links. */
      linked_bytes: integer(),
      /** JSON: why a batch has refused it. */
      refusal: nullable(text()),
    },
    {
      indexes: {
        by_key: "(key_id, id)",
        by_owner: "(owner, id) where owner is not null",
        by_expiry: "(expires_at)",
      },
    },
  ),

  /** An image request that runs without its connection. */
  jobs: defineTable(
    {
      ...leasedColumns,
      key_id: text(),
      owner: nullable(text()),
      operation: text<Job["operation"]>(),
      model: text(),
      /** How it has ended. Null before. */
      outcome: nullable(text<JobOutcome>()),
      request_id: text(),
      /** The id under which its response is stored. */
      scope: unique(text()),
      fingerprint: text(),
      created_at: integer(),
      started_at: nullable(integer()),
      ended_at: nullable(integer()),
      expires_at: integer(),
      is_cancelled: integer(),
      input_bytes: integer(),
      /** JSON. */
      failure: nullable(text()),
      /** JSON. Empty once the job has ended. */
      request: text(),
    },
    {
      indexes: {
        ...leasedIndexes("key_id"),
        by_key: "(key_id, created_at, id)",
        by_owner: "(owner, created_at, id) where owner is not null",
        by_time: "(created_at, id)",
        by_outcome: "(outcome, created_at, id)",
        by_expiry: "(expires_at)",
      },
    },
  ),

  /** The latest partial image of a running job. */
  job_progress: defineTable({
    job_id: primaryKey(text()),
    /** JSON with an image. */
    content: compressed(text()),
  }),

  /** A batch. Its file is checked and its output is written under a lease of the row. */
  batches: defineTable(
    {
      ...leasedColumns,
      key_id: text(),
      key_name: text(),
      owner: nullable(text()),
      status: text<BatchStatus>(),
      /** How it ends, once that is decided. */
      outcome: nullable(text<BatchEnd>()),
      endpoint: text(),
      model: nullable(text()),
      input_file_id: text(),
      output_file_id: nullable(text()),
      error_file_id: nullable(text()),
      /** The address at which its caller reaches the gateway. */
      origin: text(),
      /** JSON. */
      metadata: nullable(text()),
      output_ttl_ms: nullable(integer()),
      created_at: integer(),
      expires_at: integer(),
      in_progress_at: nullable(integer()),
      finalizing_at: nullable(integer()),
      cancelling_at: nullable(integer()),
      ended_at: nullable(integer()),
      total: integer(),
      completed: integer(),
      failed: integer(),
      input_tokens: integer(),
      output_tokens: integer(),
      parts: integer(),
      parts_done: integer(),
      /** The bytes that its results take and may take, until they are files. */
      reserved_bytes: integer(),
      /** The reservation when its file had been checked. */
      planned_bytes: integer(),
      /** The images behind links in its results. */
      linked_bytes: integer(),
      /** JSON. */
      faults: nullable(text()),
    },
    {
      indexes: {
        ...leasedIndexes("key_id"),
        by_time: "(created_at, id)",
        by_key: "(key_id, created_at, id)",
        by_owner: "(owner, created_at, id) where owner is not null",
        by_expiry: "(expires_at) where outcome is null",
        by_end: "(ended_at) where ended_at is not null",
        active: "(key_id, reserved_bytes) where ended_at is null",
      },
    },
  ),

  /** Rights that one process has at a time; see `Leases`. */
  leases: defineTable({
    name: primaryKey(text()),
    holder: text(),
    lease_until: integer(),
    /** From then on another may take it. 0: it was released. */
    free_at: integer(),
    note: nullable(text()),
  }),

  /** Lines of a batch that run together. */
  batch_parts: defineTable(
    {
      ...leasedColumns,
      key_id: text(),
      batch_id: text(),
      /** Counted from 0, in the order of the file. */
      number: integer(),
      /** The bytes of the lines in the input file. */
      starts_at: integer(),
      ends_at: integer(),
      /** Counted from 1. */
      first_line: integer(),
      lines: integer(),
      /** JSON: the numbers of the lines that have not ended. Null before the first line has. */
      pending: nullable(text()),
      /** JSON: the stored results. */
      segments: text(),
    },
    { unique: ["batch_id", "number"], indexes: leasedIndexes("key_id") },
  ),

  /** An event on its way to one webhook. */
  webhook_deliveries: defineTable(
    {
      ...leasedColumns,
      /** A digest of its address. */
      webhook: text(),
      message_id: text(),
      type: text<WebhookEvent["type"]>(),
      created_at: integer(),
      /** JSON. */
      body: text(),
    },
    { indexes: leasedIndexes("webhook") },
  ),

  /** Deliveries that are not added again until then, by their ids. */
  webhook_messages: defineTable({ id: primaryKey(text()), expires_at: integer() }),
};
