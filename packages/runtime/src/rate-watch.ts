import type { Clock } from "./clock.js";
import { LeastRate, type RequiredRate } from "./least-rate.js";

/** Bytes on their way between the gateway and the other end of a connection. */
interface Transfer {
  /** All bytes so far. */
  readonly bytes: number;
  /** Whether the other end is waited for now, and not the gateway. */
  readonly isAwaited: boolean;
  /** Called once. */
  readonly onSlow: () => void;
}

interface Watched {
  readonly rate: LeastRate;
  /** At the last look. */
  wasAwaited: boolean;
}

/** As many as `LeastRate` keeps. */
const looksPerWindow = 6;
const never = new AbortController().signal;

/** Finds the slow ones among many transfers. One timer looks at all of them, and only while there are some. */
export class RateWatch {
  readonly #rate: RequiredRate;
  readonly #clock: Clock;
  readonly #watched = new Map<Transfer, Watched>();
  #isLooking = false;

  /** @param clock Its waits keep no process alive. */
  constructor(rate: RequiredRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
  }

  /** Returns what ends the watch. */
  watch(transfer: Transfer): () => void {
    const rate = new LeastRate(this.#rate, this.#clock, transfer.bytes);
    this.#watched.set(transfer, { rate, wasAwaited: transfer.isAwaited });
    if (!this.#isLooking) void this.#look();
    return () => void this.#watched.delete(transfer);
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    const everyMs = this.#rate.windowMs / looksPerWindow;
    while (this.#watched.size > 0) {
      const since = this.#clock.now();
      await this.#clock.wait(everyMs, never);
      // A process that was busy or asleep has not read what has arrived.
      const isOnTime = this.#clock.now() - since < 2 * everyMs;
      for (const [transfer, watched] of this.#watched) {
        const { isAwaited } = transfer;
        const isSlow = watched.rate.isBelow(transfer.bytes, isOnTime && isAwaited && watched.wasAwaited);
        watched.wasAwaited = isAwaited;
        if (!isSlow) continue;
        this.#watched.delete(transfer);
        transfer.onSlow();
      }
    }
    this.#isLooking = false;
  }
}
