import type { BudgetsOptions } from "../../../src/limits/budgets.js";

/** A scripted ledger that can fail or hang. */
export class FakeLedger {
  readonly rows: { readonly keyId: string; readonly at: number; readonly nanos: number }[] = [];
  /** The calls of `spentSince` and `untilShipped`, in order. */
  readonly calls: string[] = [];
  readonly failures: unknown[] = [];
  state: "up" | "down" | "hangs" = "up";

  readonly options: Pick<
    BudgetsOptions,
    "spentSince" | "spentByKey" | "untilShipped" | "onLedgerUnavailable"
  > = {
    untilShipped: async () => {
      this.calls.push("shipped");
    },
    spentSince: (keyId, since) => {
      this.calls.push(`${keyId} since ${new Date(since).toISOString()}`);
      if (this.state === "down") return Promise.reject(new Error("The database is down."));
      if (this.state === "hangs") return new Promise(() => undefined);
      const rows = this.rows.filter((row) => row.keyId === keyId && row.at >= since);
      return Promise.resolve(rows.reduce((sum, { nanos }) => sum + nanos, 0));
    },
    spentByKey: async (keyIds, since) => {
      this.calls.push(`${keyIds.length} keys since ${new Date(since).toISOString()}`);
      if (this.state !== "up") throw new Error("The database is down.");
      const sums = new Map<string, { costNanos: number; estimatedNanos: number }>();
      for (const { keyId, at, nanos } of this.rows)
        if (keyIds.includes(keyId) && at >= since)
          sums.set(keyId, { costNanos: (sums.get(keyId)?.costNanos ?? 0) + nanos, estimatedNanos: 0 });
      return sums;
    },
    onLedgerUnavailable: (failure) => {
      this.failures.push(failure);
    },
  };
}
