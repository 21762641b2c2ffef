import type { LedgerRow, LedgerStore } from "../ledger/ledger-store.js";

type Behaviour = (rows: readonly LedgerRow[]) => void | Promise<void>;

/** A store in memory that does what it is told: fail, hang, or take what it is given. */
export class ScriptedStore implements Pick<LedgerStore, "add"> {
  /** What it has, by id. */
  readonly kept = new Map<string, LedgerRow>();
  /** How many rows there were in each call. */
  readonly calls: number[] = [];
  /** Rejects to refuse the rows. */
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

export function isAway(): never {
  throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
}
