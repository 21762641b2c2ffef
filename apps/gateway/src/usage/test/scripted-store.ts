import type { LedgerRow, LedgerStore } from "../ledger/ledger-store.js";

type Behaviour = (rows: readonly LedgerRow[]) => void | Promise<void>;

/** A store in memory that can be scripted to fail or hang. */
export class ScriptedStore implements Pick<LedgerStore, "add"> {
  /** The stored rows, by id. */
  readonly kept = new Map<string, LedgerRow>();
  /** The row count of each call. */
  readonly calls: number[] = [];
  /** Runs before the rows are stored. If it throws, they are refused. */
  behave: Behaviour = () => undefined;

  async add(rows: readonly LedgerRow[]): Promise<void> {
    this.calls.push(rows.length);
    await this.behave(rows);
    for (const row of rows) if (!this.kept.has(row.id)) this.kept.set(row.id, row);
  }

  get rows(): LedgerRow[] {
    return [...this.kept.values()];
  }
}

export function refuseConnection(): never {
  throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
}
