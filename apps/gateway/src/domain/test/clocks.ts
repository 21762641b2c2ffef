import { setTimeout } from "node:timers/promises";
import type { Clock } from "../clock.js";

/** Time that goes on when it is told to, and at once where somebody waits. */
export class FakeClock implements Clock {
  #now = 1_000_000;

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#now += ms;
  }
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** Time that stands still until it is told to go on. */
export class ManualClock implements Clock {
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

/** Milliseconds since 1970 that go on when they are told to. */
export class EpochClock {
  #now: number;

  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  readonly now = (): number => this.#now;

  advance(ms: number): void {
    this.#now += ms;
  }
}
