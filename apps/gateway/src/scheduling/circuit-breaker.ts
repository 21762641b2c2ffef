import type { Clock } from "../domain/clock.js";

export interface BreakerSettings {
  /** How far back it looks. */
  readonly windowMs: number;
  /** How many calls there must have been before it judges. */
  readonly minVolume: number;
  /** The share of failures at which it opens. */
  readonly failureRate: number;
  /** How many failures one after the other open it, whatever was before. */
  readonly failuresInARow: number;
  /** How long it stays open before one call may try. */
  readonly openMs: number;
}

export type BreakerState = "closed" | "open" | "half-open";

/** What happened in one part of the window. */
interface Slice {
  /** Which part of all time it is. */
  number: number;
  calls: number;
  failures: number;
}

/** The window moves on by a tenth of itself: keeping every call would cost more than the calls' own accounting. */
const slicesInWindow = 10;

/** Keeps calls away from a target that fails, and lets one through now and then to see whether it has recovered. */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #settings: BreakerSettings;
  readonly #slices: Slice[] = Array.from({ length: slicesInWindow }, () => emptySlice(-1));
  #failuresInARow = 0;
  #openedAt: number | undefined;
  #isProbing = false;

  constructor(clock: Clock, settings: BreakerSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return "closed";
    return this.#clock.now() - this.#openedAt < this.#settings.openMs ? "open" : "half-open";
  }

  /** Whether a call may be made now. */
  get allows(): boolean {
    return this.state === "closed" || (this.state === "half-open" && !this.#isProbing);
  }

  /** When the next call may be made. */
  get opensUntil(): number {
    return this.#openedAt === undefined ? 0 : this.#openedAt + this.#settings.openMs;
  }

  begin(): void {
    if (this.state === "half-open") this.#isProbing = true;
  }

  succeed(): void {
    if (this.#openedAt !== undefined) for (const slice of this.#slices) slice.number = -1;
    this.#openedAt = undefined;
    this.#isProbing = false;
    this.#failuresInARow = 0;
    this.#slice().calls += 1;
  }

  fail(): void {
    this.#isProbing = false;
    this.#failuresInARow += 1;
    const slice = this.#slice();
    slice.calls += 1;
    slice.failures += 1;
    if (this.#openedAt !== undefined || this.#isBad()) this.#openedAt = this.#clock.now();
  }

  /** A call that was given up says nothing of the target. */
  abandon(): void {
    this.#isProbing = false;
  }

  /** The part of the window that is now. */
  #slice(): Slice {
    const number = this.#sliceNumber();
    const index = number % slicesInWindow;
    const slice = this.#slices[index];
    if (slice?.number === number) return slice;
    const fresh = emptySlice(number);
    this.#slices[index] = fresh;
    return fresh;
  }

  #sliceNumber(): number {
    return Math.floor((this.#clock.now() * slicesInWindow) / this.#settings.windowMs);
  }

  /** The share of recent calls that failed; 0 while there were too few to tell. */
  get failureShare(): number {
    const since = this.#sliceNumber() - slicesInWindow;
    let [calls, failures] = [0, 0];
    for (const slice of this.#slices) {
      if (slice.number <= since) continue;
      calls += slice.calls;
      failures += slice.failures;
    }
    return calls >= this.#settings.minVolume ? failures / calls : 0;
  }

  #isBad(): boolean {
    const { failureRate, failuresInARow } = this.#settings;
    return this.#failuresInARow >= failuresInARow || this.failureShare >= failureRate;
  }
}

function emptySlice(number: number): Slice {
  return { number, calls: 0, failures: 0 };
}
