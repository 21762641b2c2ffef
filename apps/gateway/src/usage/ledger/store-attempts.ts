import { anySignal } from "@model-gateway/runtime/abort";
import type { Clock } from "@model-gateway/runtime/clock";
import type { LedgerStore } from "./ledger-store.js";
import type { SpooledRow } from "./spool-reader.js";

/** A call that takes longer counts as failed. */
const timeoutMs = 15_000;
/** The maximum of calls that still run after their timeout; each may hold a connection of the store. */
const overdueMax = 2;

interface StoreAttemptsOptions {
  readonly store: Pick<LedgerStore, "add">;
  readonly clock: Clock;
  /** Called with rows that are in the store, including those that arrived after the timeout. */
  readonly onStored: (rows: readonly SpooledRow[]) => void;
  /** Aborts when the ledger is closed. */
  readonly signal: AbortSignal;
}

/** Sends rows to the store with a timeout. Calls that are overdue go on, and their rows count when they arrive. */
export class StoreAttempts {
  readonly #options: StoreAttemptsOptions;
  readonly #overdue = new Set<Promise<unknown>>();

  constructor(options: StoreAttemptsOptions) {
    this.#options = options;
  }

  /** Resolves to undefined if the store accepted the rows, else to the failure. */
  async add(rows: readonly SpooledRow[]): Promise<unknown> {
    const { clock, signal } = this.#options;
    const settled = new AbortController();
    const timeout = clock.wait(timeoutMs, anySignal([signal, settled.signal])).then(
      () => ({ failure: new Error(`The store did not reply within ${timeoutMs} ms.`), isOverdue: true }),
      () => ({ failure: new Error("The ledger was closed before the store replied."), isOverdue: true }),
    );
    if (this.#overdue.size >= overdueMax) await Promise.race([timeout, ...this.#overdue]);
    // While all overdue calls still hang, another call would hang as well.
    const { failure } = await (this.#overdue.size < overdueMax ? this.#begin(rows, timeout) : timeout);
    settled.abort();
    return failure;
  }

  async #begin(rows: readonly SpooledRow[], timeout: Promise<StoreResult>): Promise<StoreResult> {
    const sending = this.#send(rows);
    // An overdue call may still deliver the same rows.
    const earlier = [...this.#overdue].map(async (call) => {
      await call;
      return rows.every(({ isSettled }) => isSettled) ? { isOverdue: true } : sending;
    });
    const result: StoreResult = await Promise.race([sending, timeout, ...earlier]);
    if (result.isOverdue === true) {
      this.#overdue.add(sending);
      void sending.then(() => this.#overdue.delete(sending));
    }
    return result;
  }

  async #send(rows: readonly SpooledRow[]): Promise<StoreResult> {
    try {
      await this.#options.store.add(rows.map(({ row }) => row));
    } catch (failure) {
      return { failure };
    }
    this.#options.onStored(rows);
    return {};
  }
}

interface StoreResult {
  readonly failure?: unknown;
  readonly isOverdue?: boolean;
}
