import type { LedgerRow } from "../usage/ledger-row.js";
import type { DatabaseKind } from "./database/migrate.js";
import type { LedgerRowTable } from "./database/tables.js";
import { writeJsonRows } from "./json-rows.js";
import { toStorable } from "./storable-text.js";

const textLengthMax = 256;

/**
 * The rows as the statements of the ledger take them. The ledger must not stand still for one strange letter, long name or broken
 * number: what can not be stored is mended.
 */
export function writeLedgerJson(kind: DatabaseKind, rows: readonly LedgerRow[]): string {
  const json = writeJsonRows(
    kind,
    rows.map((row) => toColumns(row, cut)),
  );
  // One look at the whole is cheaper than one at every text. Such letters are always escaped.
  if (!/\\u(0000|d[89a-f])/.test(json)) return json;
  return writeJsonRows(
    kind,
    rows.map((row) => toColumns(row, mend)),
  );
}

type WriteText = (text: string) => string;

/** In the order of the columns in `ledger-statements.ts`. */
function toColumns(row: LedgerRow, write: WriteText): LedgerRowTable {
  return {
    id: write(row.id),
    at: whole(row.at),
    key_id: write(row.keyId),
    key_name: write(row.keyName),
    operation: row.operation,
    model: row.model === null ? null : write(row.model),
    upstream: row.upstream === null ? null : write(row.upstream),
    attempts: whole(row.attempts),
    status: whole(row.status),
    input_tokens: whole(row.inputTokens),
    output_tokens: whole(row.outputTokens),
    images: whole(row.images),
    cost_nanos: row.costNanos === null ? null : whole(row.costNanos),
    ms: Number.isFinite(row.ms) ? row.ms : 0,
    request_bytes: whole(row.requestBytes),
    response_bytes: whole(row.responseBytes),
    cache: row.cache,
    error_code: row.errorCode === null ? null : write(row.errorCode),
  };
}

function cut(text: string): string {
  return text.length > textLengthMax ? text.slice(0, textLengthMax) : text;
}

function mend(text: string): string {
  return toStorable(text, textLengthMax);
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
