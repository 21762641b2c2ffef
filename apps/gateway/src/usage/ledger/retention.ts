import type { Clock } from "@model-gateway/runtime/clock";
import type { Logger } from "pino";

/** Deletes old ledger rows. Their sums by hour and day stay. */
export interface RetentionStore {
  /**
   * Deletes the oldest rows from before a time, `rowsMax` at most. Returns their number, or undefined if another process
   * is deleting.
   */
  deleteOldest(before: number, rowsMax: number): Promise<number | undefined>;
  /** Lets another process delete. */
  release(): Promise<void>;
}

interface RetentionOptions {
  readonly store: RetentionStore;
  /** Present retention of rows, from the configuration. Undefined: forever. */
  readonly keepMs: () => number | undefined;
  /** Its times are milliseconds since 1970. */
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Logger;
}

/** A step takes milliseconds. Other statements run between two steps. */
const rowsPerStep = 500;
const everyMs = 600_000;
const pauseMsMin = 50;
const pauseMsMax = 5000;
/** The pause after a step is this many times as long as the step: deleting takes a fifth of the time at most. */
const pauseShare = 4;
const hourMs = 3_600_000;
/** A clock that has gained more than this since the last round is given one more round to be set right. */
const jumpMsMax = hourMs;

/**
 * Deletes ledger rows that are older than their retention, in small steps. Nothing is remembered between two steps, so
 * a process that is stopped or dies loses nothing: the next round goes on with the rows that are left.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #deleted = 0;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Number of rows that this process has deleted. */
  get deleted(): number {
    return this.#deleted;
  }

  /** Waits for the step in progress. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { random, log } = this.#options;
    while (!this.#closing.signal.aborted) {
      // Replicas that start together do not begin together.
      const waitMs = everyMs * (0.5 + random() / 2);
      const beganAt = this.#options.clock.now();
      await this.#wait(waitMs);
      const jumpMs = this.#options.clock.now() - beganAt - waitMs;
      if (jumpMs > jumpMsMax) {
        log.warn(
          { jumpMs: Math.round(jumpMs) },
          "The clock has jumped ahead. No ledger rows are deleted now.",
        );
        continue;
      }
      try {
        await this.#deleteExpired();
      } catch (failure) {
        log.warn({ err: failure }, "Old ledger rows could not be deleted. The gateway will try again later.");
      }
    }
  }

  async #deleteExpired(): Promise<void> {
    const { store, keepMs, clock, log } = this.#options;
    const deletedBefore = this.#deleted;
    let isHolder = false;
    while (!this.#closing.signal.aborted) {
      const before = expiredBefore(clock.now(), keepMs());
      if (before === undefined) break;
      const beganAt = clock.now();
      const deleted = await store.deleteOldest(before, rowsPerStep);
      if (deleted === undefined) break;
      isHolder = true;
      this.#deleted += deleted;
      if (deleted < rowsPerStep) break;
      const tookMs = Math.max(0, clock.now() - beganAt);
      await this.#wait(Math.min(pauseMsMax, Math.max(pauseMsMin, tookMs * pauseShare)));
    }
    if (isHolder) await store.release();
    const deleted = this.#deleted - deletedBefore;
    if (deleted > 0) log.info({ rows: deleted }, "Old ledger rows were deleted.");
  }

  /** Ends early when the gateway stops. */
  async #wait(ms: number): Promise<void> {
    await this.#options.clock.wait(ms, this.#closing.signal).catch(() => undefined);
  }
}

/** Whole hours, as in the sums: the rest of the ledger begins with a complete hour. */
function expiredBefore(now: number, keepMs: number | undefined): number | undefined {
  if (keepMs === undefined) return undefined;
  return Math.max(0, Math.floor((now - keepMs) / hourMs) * hourMs);
}
