import type { Clock } from "@model-gateway/runtime/clock";

export interface BreakerSettings {
  /** The sliding window of the failure rate. */
  readonly windowMs: number;
  /** With fewer calls in the window, the failure rate counts as 0. */
  readonly minVolume: number;
  /** Opens at this failure rate. */
  readonly failureRate: number;
  /** Opens after this many failures in a row, at any failure rate. */
  readonly consecutiveFailures: number;
  /** The same while it is cautious. */
  readonly cautiousFailures: number;
  /** Time that it stays open before it is half-open. */
  readonly openMs: number;
}

export type BreakerState = "closed" | "open" | "half-open";

/** The counts in a tenth of the window. */
interface Slice {
  /** Which tenth it is, counted from the epoch of the clock. */
  number: number;
  calls: number;
  failures: number;
}

/** The window slides in tenths: a record of every call would cost more. */
const slicesInWindow = 10;

/**
 * The circuit breaker of one target. Closed: calls pass, and failures are counted. Open: no call passes. Half-open: one
 * call passes as a probe; its success closes the breaker, its failure opens it again.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #settings: BreakerSettings;
  readonly #slices: Slice[] = Array.from({ length: slicesInWindow }, () => emptySlice(-1));
  #consecutiveFailures = 0;
  #openedAt: number | undefined;
  #isProbing = false;
  #cautiousUntil = 0;

  constructor(clock: Clock, settings: BreakerSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  get state(): BreakerState {
    if (this.#openedAt === undefined) return "closed";
    return this.#clock.now() - this.#openedAt < this.#settings.openMs ? "open" : "half-open";
  }

  /** Whether a call may pass now. */
  get allows(): boolean {
    return this.state === "closed" || (this.state === "half-open" && !this.#isProbing);
  }

  /** When it will be half-open; 0 while it is closed. */
  get openUntil(): number {
    return this.#openedAt === undefined ? 0 : this.#openedAt + this.#settings.openMs;
  }

  /**
   * Whether another replica has seen the target fail lately. Then fewer failures in a row open it, but a hint alone never
   * does: that replica may be the one in trouble.
   */
  get isCautious(): boolean {
    return this.#cautiousUntil > 0 && this.#clock.now() < this.#cautiousUntil;
  }

  /** Makes it cautious for a time. A success ends that. */
  warn(ms: number): void {
    this.#cautiousUntil = Math.max(this.#cautiousUntil, this.#clock.now() + ms);
  }

  /** Called before each call, so that only one probe passes. */
  begin(): void {
    if (this.state === "half-open") this.#isProbing = true;
  }

  succeed(): void {
    if (this.#openedAt !== undefined) for (const slice of this.#slices) slice.number = -1;
    this.#openedAt = undefined;
    this.#isProbing = false;
    this.#consecutiveFailures = 0;
    this.#cautiousUntil = 0;
    this.#slice().calls += 1;
  }

  fail(): void {
    this.#isProbing = false;
    this.#consecutiveFailures += 1;
    const slice = this.#slice();
    slice.calls += 1;
    slice.failures += 1;
    if (this.#openedAt !== undefined || this.#shouldOpen()) this.#openedAt = this.#clock.now();
  }

  /** An aborted call says nothing about the target. */
  abandon(): void {
    this.#isProbing = false;
  }

  /** The current slice. */
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

  /** The share of failed calls in the window; 0 below the minimum volume. */
  get failureRate(): number {
    const since = this.#sliceNumber() - slicesInWindow;
    let [calls, failures] = [0, 0];
    for (const slice of this.#slices) {
      if (slice.number <= since) continue;
      calls += slice.calls;
      failures += slice.failures;
    }
    return calls >= this.#settings.minVolume ? failures / calls : 0;
  }

  #shouldOpen(): boolean {
    const { failureRate, consecutiveFailures, cautiousFailures } = this.#settings;
    const inARow = this.isCautious ? cautiousFailures : consecutiveFailures;
    return this.#consecutiveFailures >= inARow || this.failureRate >= failureRate;
  }
}

function emptySlice(number: number): Slice {
  return { number, calls: 0, failures: 0 };
}
