import { emptyRow } from "../ledger/ledger-columns.js";
import type { LedgerRow } from "../ledger/ledger-store.js";

/** A row that is unique by its number. */
export function rowOf(number: number, changes: Partial<LedgerRow> = {}): LedgerRow {
  return {
    ...emptyRow,
    id: `req_${String(number).padStart(32, "0")}`,
    at: 1_787_150_086_000 + number,
    keyId: "key_1",
    keyName: "batch",
    operation: "createEmbedding",
    model: "text-embedding-3-small",
    upstream: "openai",
    attempts: 1,
    status: 200,
    inputTokens: number,
    costNanos: 2460,
    ms: 12.5,
    requestBytes: 345,
    responseBytes: 8345,
    cache: "miss",
    ...changes,
  };
}

export function rowsOf(from: number, to: number): LedgerRow[] {
  return Array.from({ length: to - from + 1 }, (_, index) => rowOf(from + index));
}
