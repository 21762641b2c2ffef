import type { Ledger } from "./ledger.js";
import type { LedgerRow } from "./ledger-row.js";

/**
 * Records rows of requests that end together in one go: each write asks the operating system, which takes longer than
 * making the row. Nobody waits for others to end.
 */
export function gatherRows(ledger: Pick<Ledger, "record">): (row: LedgerRow) => Promise<void> {
  let rows: LedgerRow[] = [];
  let recording: Promise<void> | undefined;
  const record = (): void => {
    const gathered = rows;
    rows = [];
    recording = undefined;
    ledger.record(...gathered);
  };
  return (row) => {
    rows.push(row);
    recording ??= Promise.resolve().then(record);
    return recording;
  };
}
