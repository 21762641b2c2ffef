import type { BudgetsNeeds } from "../../src/limits/budgets.js";

/** A ledger that says what it is told to say, and may be away or hang. */
export class FakeLedger {
  readonly rows: { readonly keyId: string; readonly at: number; readonly nanos: number }[] = [];
  /** What it was asked, and what was waited for, in order. */
  readonly calls: string[] = [];
  readonly failures: unknown[] = [];
  mood: "good" | "away" | "hangs" = "good";

  readonly needs: Pick<BudgetsNeeds, "spentSince" | "untilShipped" | "onLedgerAway"> = {
    untilShipped: async () => {
      this.calls.push("shipped");
    },
    spentSince: (keyId, since) => {
      this.calls.push(`${keyId} since ${new Date(since).toISOString()}`);
      if (this.mood === "away") return Promise.reject(new Error("The database is away."));
      if (this.mood === "hangs") return new Promise(() => undefined);
      const rows = this.rows.filter((row) => row.keyId === keyId && row.at >= since);
      return Promise.resolve(rows.reduce((sum, { nanos }) => sum + nanos, 0));
    },
    onLedgerAway: (failure) => {
      this.failures.push(failure);
    },
  };
}
