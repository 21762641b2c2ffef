import { backoffMs } from "@model-gateway/runtime/backoff";
import type { Clock } from "@model-gateway/runtime/clock";
import type { Logger } from "pino";
import type { LedgerRow, LedgerStore } from "./ledger-store.js";
import type { LedgerSpool } from "./spool.js";
import type { SpooledRow } from "./spool-reader.js";
import { StoreAttempts } from "./store-attempts.js";

const batchRowsMax = 500;
const defaultGatherMs = 500;
const firstBackoffMs = 200;
const backoffMsMax = 10_000;
/** A batch that fails more often is halved. */
const failuresMax = 3;
/** The maximum of rows that are passed over in search of one that the store accepts. */
const postponedMax = 1000;
/** A row is set aside after this many failures, each right after the store accepted another row. */
const trialsMax = 3;

interface ShipperOptions {
  readonly spool: LedgerSpool;
  readonly store: Pick<LedgerStore, "add">;
  readonly clock: Clock;
  /** From 0 to 1, for the jitter between two attempts. */
  readonly random: () => number;
  readonly log: Logger;
  /** Time to wait for more rows when they are fewer than a batch. Half a second by default. */
  readonly gatherMs?: number;
  /** Called with rows that are in the store. */
  readonly onStored: (rows: readonly LedgerRow[]) => void;
  /** Called for every failure. The log has only the first of an outage. */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Ships rows from the spool to the store, in order. A batch that fails repeatedly is halved until the poison row is
 * found. That row is set aside only if the store accepts other rows at the same time: a store that is unavailable
 * rejects everything, and then all rows wait.
 */
export class LedgerShipper {
  readonly #options: ShipperOptions;
  readonly #attempts: StoreAttempts;
  readonly #running: Promise<void>;
  /** Aborts when the ledger is closed: the shipper then ships as much as it can without waiting. */
  readonly #closing = new AbortController();
  /** Aborts when the time for closing is over. */
  readonly #closeTimeout = new AbortController();
  #batchRows = batchRowsMax;
  #failures = 0;
  #shipped = 0;
  #isFailing = false;

  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#attempts = new StoreAttempts({
      ...options,
      signal: this.#closeTimeout.signal,
      onStored: (rows) => this.#onStored(rows),
    });
    this.#running = this.#run();
  }

  /** Rows that the store accepted since the start. */
  get shipped(): number {
    return this.#shipped;
  }

  async close(withinMs: number): Promise<void> {
    const settled = new AbortController();
    this.#closing.abort();
    void this.#options.clock.wait(withinMs, settled.signal).then(
      () => this.#closeTimeout.abort(),
      () => undefined,
    );
    await this.#running;
    settled.abort();
  }

  async #run(): Promise<void> {
    const { spool, gatherMs = defaultGatherMs } = this.#options;
    const closing = this.#closing.signal;
    for (;;) {
      await spool.arrival(closing);
      if (spool.rows < batchRowsMax) await this.#wait(gatherMs);
      const hasMoved = await this.#step().catch((failure: unknown) => this.#fail(failure));
      if (closing.aborted && (!hasMoved || spool.rows === 0 || this.#closeTimeout.signal.aborted)) return;
      // The disk may have room by now, even if no other row comes.
      spool.writeHeld();
      if (!hasMoved) await this.#backOff();
    }
  }

  /** Ships one batch. Returns false if the store failed. */
  async #step(): Promise<boolean> {
    const { reader } = this.#options.spool;
    const batch = await reader.peek(this.#batchRows);
    // Without other rows, the postponed ones are tried again.
    const sent = batch.length > 0 ? batch : reader.postponed.slice(0, 1);
    if (sent.length === 0) return true;
    const failure = await this.#attempts.add(sent);
    if (failure === undefined || sent.every(({ isSettled }) => isSettled)) {
      this.#batchRows = Math.min(batchRowsMax, this.#batchRows * 2);
      await this.#reviewPostponed(sent);
      return true;
    }
    this.#fail(failure);
    if (this.#failures > failuresMax) this.#narrow(batch);
    return false;
  }

  #onStored(rows: readonly SpooledRow[]): void {
    const { spool, log } = this.#options;
    this.#shipped += rows.filter(({ isSettled }) => !isSettled).length;
    spool.reader.settle(rows);
    this.#options.onStored(rows.map(({ row }) => row));
    this.#failures = 0;
    if (this.#isFailing) log.info("Ledger rows are shipped again.");
    this.#isFailing = false;
  }

  #fail(failure: unknown): false {
    const { log, onFailure } = this.#options;
    this.#failures += 1;
    onFailure(failure);
    if (!this.#isFailing) log.warn({ err: failure }, "Ledger rows cannot be shipped; they wait on disk.");
    this.#isFailing = true;
    return false;
  }

  #narrow([first, ...others]: readonly SpooledRow[]): void {
    const { reader } = this.#options.spool;
    if (others.length > 0) this.#batchRows = Math.ceil((others.length + 1) / 2);
    else if (first !== undefined && reader.postponed.length < postponedMax) reader.postpone(first);
  }

  /**
   * Decides about postponed rows. At most one row is set aside for each row that the store just accepted: a store whose
   * disk is full from time to time must not cause a thousand rows to be set aside.
   */
  async #reviewPostponed(accepted: readonly SpooledRow[]): Promise<void> {
    const suspects = this.#options.spool.reader.postponed.slice(0, batchRowsMax);
    const [knownGood] = accepted;
    // Usually the store was unavailable, and the rows are fine.
    if (knownGood === undefined || suspects.length === 0 || (await this.#isAccepted(suspects))) return;
    let rejectionsLeft = accepted.length;
    for (const suspect of suspects) {
      const verdict = rejectionsLeft > 0 ? await this.#review(suspect, knownGood) : "unknown";
      if (verdict === "unknown") return;
      rejectionsLeft += verdict === "accepted" ? 1 : -1;
    }
  }

  /** Rejected only if the store accepts a known good row right before each failure of this one. */
  async #review(suspect: SpooledRow, knownGood: SpooledRow): Promise<"accepted" | "rejected" | "unknown"> {
    for (let trial = 1; trial <= trialsMax; trial += 1) {
      if (!(await this.#isAccepted([knownGood]))) return "unknown";
      // Twice, so that a store that fails every other call does not fail this row each time.
      if ((await this.#isAccepted([suspect])) || (await this.#isAccepted([suspect]))) return "accepted";
      await this.#wait(firstBackoffMs);
    }
    if (this.#closeTimeout.signal.aborted) return "unknown";
    this.#options.spool.setAside(suspect);
    return "rejected";
  }

  async #isAccepted(rows: readonly SpooledRow[]): Promise<boolean> {
    const failure = await this.#attempts.add(rows);
    if (failure !== undefined) this.#options.onFailure(failure);
    return failure === undefined;
  }

  /** Full jitter, so that gateways that lost their store together do not retry together. */
  #backOff(): Promise<void> {
    const { random } = this.#options;
    return this.#wait(backoffMs(this.#failures, { firstMs: firstBackoffMs, maxMs: backoffMsMax, random }));
  }

  /** Ends early when the ledger is closed. */
  async #wait(ms: number): Promise<void> {
    await this.#options.clock.wait(ms, this.#closing.signal).catch(() => undefined);
  }
}
