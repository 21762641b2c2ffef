import type { Logger } from "pino";
import type { Clock } from "../../domain/clock.js";
import type { LedgerStore } from "./ledger-store.js";
import type { LedgerSpool } from "./spool.js";
import type { SpooledRow } from "./spool-reader.js";
import { StoreAttempts } from "./store-attempts.js";

const batchRowsMax = 500;
/** How long rows gather before they are shipped, where they are fewer than a batch. */
const gatherMs = 500;
const backOffMs = 200;
const backOffMsMax = 10_000;
/** How often a batch may fail before it is tried in smaller ones. */
const failuresMax = 3;
/** How many rows may be passed over, one after the other, in search of one that the store takes. */
const postponedMax = 1000;
/** How often a row must fail, each time after another one was taken, before it is set aside. */
const trialsMax = 3;

export interface ShipperNeeds {
  readonly spool: LedgerSpool;
  readonly store: Pick<LedgerStore, "add">;
  readonly clock: Clock;
  /** From 0 to 1, for the wait between two tries. */
  readonly random: () => number;
  readonly log: Logger;
  /** Told of every failure, also of those that are too many for the log. */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Brings rows from the spool to the store, in order. Where a batch fails again and again, it is halved until the row is
 * found that the store does not take. That row is set aside only when the store takes others at the same time: a store
 * that is away rejects everything, and then everything waits.
 */
export class LedgerShipper {
  readonly #needs: ShipperNeeds;
  readonly #attempts: StoreAttempts;
  readonly #running: Promise<void>;
  /** Aborts when the ledger is closed: what can be shipped at once is, and nothing is waited for. */
  readonly #closing = new AbortController();
  /** Aborts when the time for that is over. */
  readonly #over = new AbortController();
  #batchRows = batchRowsMax;
  #failures = 0;
  #shipped = 0;
  #isAway = false;

  constructor(needs: ShipperNeeds) {
    this.#needs = needs;
    this.#attempts = new StoreAttempts({
      ...needs,
      signal: this.#over.signal,
      onStored: (rows) => this.#onStored(rows),
    });
    this.#running = this.#run();
  }

  /** How many rows the store has taken since the start. */
  get shipped(): number {
    return this.#shipped;
  }

  async close(withinMs: number): Promise<void> {
    const settled = new AbortController();
    this.#closing.abort();
    void this.#needs.clock.wait(withinMs, settled.signal).then(
      () => this.#over.abort(),
      () => undefined,
    );
    await this.#running;
    settled.abort();
  }

  async #run(): Promise<void> {
    const { spool } = this.#needs;
    const closing = this.#closing.signal;
    for (;;) {
      await spool.arrival(closing);
      if (spool.rows < batchRowsMax) await this.#wait(gatherMs);
      const hasMoved = await this.#step().catch((failure: unknown) => this.#fail(failure));
      if (closing.aborted && (!hasMoved || spool.rows === 0 || this.#over.signal.aborted)) return;
      if (!hasMoved) await this.#backOff();
    }
  }

  /** Whether all is well: the store took what was next, or nothing was. */
  async #step(): Promise<boolean> {
    const { reader } = this.#needs.spool;
    const batch = await reader.peek(this.#batchRows);
    // Without others, those that were passed over have their turn again.
    const tried = batch.length > 0 ? batch : reader.postponed.slice(0, 1);
    if (tried.length === 0) return true;
    const failure = await this.#attempts.add(tried);
    if (failure === undefined || tried.every(({ isSettled }) => isSettled)) {
      this.#batchRows = Math.min(batchRowsMax, this.#batchRows * 2);
      await this.#judgePostponed(tried);
      return true;
    }
    this.#fail(failure);
    if (this.#failures > failuresMax) this.#narrow(batch);
    return false;
  }

  #onStored(rows: readonly SpooledRow[]): void {
    const { spool, log } = this.#needs;
    this.#shipped += rows.filter(({ isSettled }) => !isSettled).length;
    spool.reader.settle(rows);
    this.#failures = 0;
    if (this.#isAway) log.info("The ledger is shipped again.");
    this.#isAway = false;
  }

  #fail(failure: unknown): false {
    const { log, onFailure } = this.#needs;
    this.#failures += 1;
    onFailure(failure);
    if (!this.#isAway) log.warn({ err: failure }, "The ledger cannot be shipped; it waits on disk.");
    this.#isAway = true;
    return false;
  }

  #narrow([first, ...others]: readonly SpooledRow[]): void {
    const { reader } = this.#needs.spool;
    if (others.length > 0) this.#batchRows = Math.ceil((others.length + 1) / 2);
    else if (first !== undefined && reader.postponed.length < postponedMax) reader.postpone(first);
  }

  /**
   * Each row that the store has taken vouches for one verdict: a disk that is full now and then must not have a thousand
   * rows set aside.
   */
  async #judgePostponed(taken: readonly SpooledRow[]): Promise<void> {
    const suspects = this.#needs.spool.reader.postponed.slice(0, batchRowsMax);
    const [witness] = taken;
    // Most often the store was away, and there is nothing wrong with them.
    if (witness === undefined || suspects.length === 0 || (await this.#isTaken(suspects))) return;
    let vouchers = taken.length;
    for (const suspect of suspects) {
      const verdict = vouchers > 0 ? await this.#judge(suspect, witness) : "unknown";
      if (verdict === "unknown") return;
      vouchers += verdict === "taken" ? 1 : -1;
    }
  }

  /** The store must take another row each time that it does not take this one. */
  async #judge(suspect: SpooledRow, witness: SpooledRow): Promise<"taken" | "rejected" | "unknown"> {
    for (let trial = 1; trial <= trialsMax; trial += 1) {
      if (!(await this.#isTaken([witness]))) return "unknown";
      // Twice, because a store that fails every other call must not always fail this one.
      if ((await this.#isTaken([suspect])) || (await this.#isTaken([suspect]))) return "taken";
      await this.#wait(backOffMs);
    }
    if (this.#over.signal.aborted) return "unknown";
    this.#needs.spool.setAside(suspect);
    return "rejected";
  }

  async #isTaken(rows: readonly SpooledRow[]): Promise<boolean> {
    const failure = await this.#attempts.add(rows);
    if (failure !== undefined) this.#needs.onFailure(failure);
    return failure === undefined;
  }

  /** Full jitter: gateways that lost their store together do not come back together. */
  #backOff(): Promise<void> {
    const longestMs = Math.min(backOffMsMax, backOffMs * 2 ** (this.#failures - 1));
    return this.#wait(this.#needs.random() * longestMs);
  }

  /** Ends early when the ledger is closed. */
  async #wait(ms: number): Promise<void> {
    await this.#needs.clock.wait(ms, this.#closing.signal).catch(() => undefined);
  }
}
