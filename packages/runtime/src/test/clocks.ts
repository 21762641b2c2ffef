import { setTimeout } from "node:timers/promises";
import type { Clock } from "../clock.js";

/** A clock that advances on call. A wait advances it and resolves at once. */
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

/** A clock that stops until it is advanced. */
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

  /** Advances from one waiter to the next until the condition holds. Disk I/O takes real time. */
  async runUntil(condition: () => boolean): Promise<void> {
    const until = performance.now() + runMsMax;
    while (!condition()) {
      if (performance.now() > until) throw new Error("The condition did not become true.");
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

/** Only a hang takes this long. */
const runMsMax = 120_000;

/** Milliseconds since 1970 that advance on call. */
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
