import type { Clock } from "../../domain/clock.js";
import { anySignal } from "../../runtime/abort.js";
import type { LedgerStore } from "./ledger-store.js";
import type { SpooledRow } from "./spool-reader.js";

/** How long the store may take before it counts as failed. */
const attemptMsMax = 15_000;
/** How many calls may go on that nobody waits for any more; each may hold a connection of the store. */
const overdueMax = 2;

export interface AttemptNeeds {
  readonly store: Pick<LedgerStore, "add">;
  readonly clock: Clock;
  /** Told of rows that are in the store, also when they got there after their time. */
  readonly onStored: (rows: readonly SpooledRow[]) => void;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Hands rows to the store, and does not wait for ever. */
export class StoreAttempts {
  readonly #needs: AttemptNeeds;
  readonly #overdue = new Set<Promise<unknown>>();

  constructor(needs: AttemptNeeds) {
    this.#needs = needs;
  }

  /** Undefined where the store took the rows; else why not. */
  async add(rows: readonly SpooledRow[]): Promise<unknown> {
    const { clock, signal } = this.#needs;
    const settled = new AbortController();
    const patience = clock.wait(attemptMsMax, anySignal([signal, settled.signal])).then(
      () => ({ failure: new Error(`The store did not answer within ${attemptMsMax} ms.`), isOverdue: true }),
      () => ({ failure: new Error("The ledger was closed before the store answered."), isOverdue: true }),
    );
    if (this.#overdue.size >= overdueMax) await Promise.race([patience, ...this.#overdue]);
    // Where none of them has come to an end, one more would do no better.
    const { failure } = await (this.#overdue.size < overdueMax ? this.#begin(rows, patience) : patience);
    settled.abort();
    return failure;
  }

  async #begin(rows: readonly SpooledRow[], patience: Promise<StoreResult>): Promise<StoreResult> {
    const sending = this.#send(rows);
    // An earlier call may bring the same rows there after all.
    const earlier = [...this.#overdue].map(async (call) => {
      await call;
      return rows.every(({ isSettled }) => isSettled) ? { isOverdue: true } : sending;
    });
    const outcome: StoreResult = await Promise.race([sending, patience, ...earlier]);
    if (outcome.isOverdue === true) {
      this.#overdue.add(sending);
      void sending.then(() => this.#overdue.delete(sending));
    }
    return outcome;
  }

  async #send(rows: readonly SpooledRow[]): Promise<StoreResult> {
    try {
      await this.#needs.store.add(rows.map(({ row }) => row));
    } catch (failure) {
      return { failure };
    }
    this.#needs.onStored(rows);
    return {};
  }
}

interface StoreResult {
  readonly failure?: unknown;
  readonly isOverdue?: boolean;
}
