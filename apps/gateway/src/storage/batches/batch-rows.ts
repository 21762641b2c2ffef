import type {
  Batch,
  BatchEndpoint,
  BatchFault,
  BatchPart,
  LineRange,
  PartSegment,
  PendingLine,
} from "../../batches/batch.js";
import type { NewBatch } from "../../batches/batch-store.js";
import type { Tables } from "../database/schema/tables.js";
import { newLease } from "../work/leased-table.js";

export function toBatch(row: Tables["batches"]): Batch {
  return {
    id: row.id,
    keyId: row.key_id,
    keyName: row.key_name,
    owner: row.owner ?? undefined,
    status: row.status,
    outcome: row.outcome,
    // Written by `newBatchRow` alone, from this type.
    endpoint: row.endpoint as BatchEndpoint,
    model: row.model,
    inputFileId: row.input_file_id,
    outputFileId: row.output_file_id,
    errorFileId: row.error_file_id,
    site: row.site,
    origin: row.origin,
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Batch["metadata"]),
    outputTtlMs: row.output_ttl_ms,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    inProgressAt: row.in_progress_at,
    finalizingAt: row.finalizing_at,
    cancellingAt: row.cancelling_at,
    endedAt: row.ended_at,
    counts: { total: row.total, completed: row.completed, failed: row.failed },
    tokens: { input: row.input_tokens, output: row.output_tokens },
    reservedBytes: row.reserved_bytes,
    plannedBytes: row.planned_bytes,
    linkedBytes: row.linked_bytes,
    faults: row.faults === null ? null : (JSON.parse(row.faults) as BatchFault[]),
    attempts: row.attempts,
  };
}

export function newBatchRow(batch: NewBatch): Tables["batches"] {
  return {
    id: batch.id,
    key_id: batch.keyId,
    site: batch.site,
    ...newLease(batch.createdAt),
    key_name: batch.keyName,
    owner: batch.owner ?? null,
    status: "validating",
    outcome: null,
    endpoint: batch.endpoint,
    model: null,
    input_file_id: batch.inputFileId,
    output_file_id: null,
    error_file_id: null,
    origin: batch.origin,
    metadata: batch.metadata === null ? null : JSON.stringify(batch.metadata),
    output_ttl_ms: batch.outputTtlMs,
    created_at: batch.createdAt,
    expires_at: batch.expiresAt,
    in_progress_at: null,
    finalizing_at: null,
    cancelling_at: null,
    ended_at: null,
    total: 0,
    completed: 0,
    failed: 0,
    input_tokens: 0,
    output_tokens: 0,
    parts: 0,
    parts_done: 0,
    reserved_bytes: batch.reservedBytes,
    planned_bytes: batch.reservedBytes,
    linked_bytes: 0,
    faults: null,
  };
}

export function toPart(row: Tables["batch_parts"]): BatchPart {
  return {
    id: row.id,
    batchId: row.batch_id,
    number: row.number,
    start: row.starts_at,
    end: row.ends_at,
    firstLine: row.first_line,
    lines: row.lines,
    pending: row.pending === null ? null : (JSON.parse(row.pending) as PendingLine[]),
    segments: JSON.parse(row.segments) as PartSegment[],
    attempts: row.attempts,
  };
}

/** Parts of older batches go first. A batch has fewer parts than this. */
const partsMax = 1_000_000;

export function newPartRow(
  batch: Pick<Tables["batches"], "id" | "key_id" | "site" | "created_at">,
  number: number,
  { start, end, firstLine, lines }: LineRange,
): Tables["batch_parts"] {
  return {
    id: `${batch.id}:${number}`,
    key_id: batch.key_id,
    site: batch.site,
    // In seconds, so that it stays below 2^53.
    ...newLease(Math.floor(batch.created_at / 1000) * partsMax + number),
    batch_id: batch.id,
    number,
    starts_at: start,
    ends_at: end,
    first_line: firstLine,
    lines,
    pending: null,
    segments: "[]",
  };
}
