import { isObject, listAt, objectAt } from "@model-gateway/runtime/json";
import { CommandError } from "../remote/command-error.js";

/** The fields of a batch that commands use. The names are those of the API. */
export interface RemoteBatch {
  readonly id: string;
  readonly status: string;
  readonly input_file_id: string;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly created_at: number;
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number };
  readonly errors: readonly RemoteBatchFault[];
  /** `null` if the gateway does not report it. */
  readonly total_tokens: number | null;
}

/** A fault of the input file. */
interface RemoteBatchFault {
  readonly code: string;
  readonly line: number | null;
  readonly message: string;
}

const endings: ReadonlySet<string> = new Set(["completed", "failed", "expired", "cancelled"]);

/** Whether the batch has reached its last state. */
export function hasEnded({ status }: RemoteBatch): boolean {
  return endings.has(status);
}

/** Checks a batch object. https://platform.openai.com/docs/api-reference/batch/object */
export function readBatch(value: unknown): RemoteBatch {
  const batch = isObject(value) ? value : {};
  const counts = objectAt(batch, "request_counts");
  const { id, status, input_file_id } = batch;
  if (typeof id !== "string" || typeof status !== "string" || typeof input_file_id !== "string")
    throw new CommandError("The gateway's response is not a batch. It may be another program.");
  return {
    id,
    status,
    input_file_id,
    output_file_id: textOrNull(batch.output_file_id),
    error_file_id: textOrNull(batch.error_file_id),
    created_at: numberOr(batch.created_at, 0),
    request_counts: {
      total: numberOr(counts.total, 0),
      completed: numberOr(counts.completed, 0),
      failed: numberOr(counts.failed, 0),
    },
    errors: listAt(batch.errors, "data").map(readFault),
    total_tokens: numberOr(objectAt(batch, "usage").total_tokens, null),
  };
}

function readFault(value: unknown): RemoteBatchFault {
  const { code, line, message } = objectAt({ value }, "value");
  return { code: String(code), line: numberOr(line, null), message: String(message) };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOr<Other>(value: unknown, other: Other): number | Other {
  return typeof value === "number" && Number.isFinite(value) ? value : other;
}
