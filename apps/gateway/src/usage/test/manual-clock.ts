import { setTimeout } from "node:timers/promises";
import type { LedgerClock } from "../ledger-clock.js";

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Time that stands still until it is told to go on. */
export class ManualClock implements LedgerClock {
  #now = 1_787_150_086_000;
  readonly #sleepers = new Set<Sleeper>();

  now(): number {
    return this.#now;
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener("abort", leave);
        settle();
      };
      const leave = end(() => reject(signal.reason));
      const sleeper: Sleeper = { until: this.#now + ms, wake: end(resolve) };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Time goes on from one waiter to the next until the condition holds. Disks are waited for in real time. */
  async runUntil(condition: () => boolean): Promise<void> {
    for (let turn = 0; !condition(); turn += 1) {
      if (turn > turnsMax) throw new Error("It did not come true.");
      await setTimeout(1);
      const [next] = [...this.#sleepers].sort((left, right) => left.until - right.until);
      if (next === undefined || condition()) continue;
      this.#now = Math.max(this.#now, next.until);
      next.wake();
    }
  }

  advance(ms: number): void {
    this.#now += ms;
  }
}

const turnsMax = 5000;
