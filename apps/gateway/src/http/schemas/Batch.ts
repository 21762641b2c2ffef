import { type Batch, hasEnded } from "../../batches/batch.js";
import type { BatchService } from "../../batches/batch-service.js";
import type { Schemas } from "../../operations.js";

export interface BatchHandlerServices {
  readonly batches: BatchService;
}

/** A batch as the spec describes it. */
export function describeBatch(batch: Batch): Schemas["Batch"] {
  const { status, counts, tokens, faults, endedAt } = batch;
  const isOver = hasEnded(batch);
  const endedAs = (end: Batch["status"]) => (status === end ? seconds(endedAt) : null);
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model: batch.model,
    errors: faults && { object: "list", data: [...faults] },
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status,
    // Until the batch has ended, the files may be replaced.
    output_file_id: isOver ? batch.outputFileId : null,
    error_file_id: isOver ? batch.errorFileId : null,
    created_at: Math.floor(batch.createdAt / 1000),
    in_progress_at: seconds(batch.inProgressAt),
    expires_at: Math.floor(batch.expiresAt / 1000),
    finalizing_at: seconds(batch.finalizingAt),
    completed_at: endedAs("completed"),
    failed_at: endedAs("failed"),
    expired_at: endedAs("expired"),
    cancelling_at: seconds(batch.cancellingAt),
    cancelled_at: endedAs("cancelled"),
    request_counts: { ...counts },
    usage: {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.input + tokens.output,
    },
    metadata: batch.metadata && { ...batch.metadata },
  };
}

/** The same for an operator, with the key. */
export function describeAdminBatch(batch: Batch): Schemas["AdminBatch"] {
  return { ...describeBatch(batch), key_id: batch.keyId, key_name: batch.keyName };
}

/** A page of a list, as OpenAI clients read it. */
export function pageOf<T extends { readonly id: string }>(data: T[], hasMore: boolean) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
