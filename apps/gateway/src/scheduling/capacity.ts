import type { Clock } from "../domain/clock.js";
import type { Target } from "../domain/model.js";

type CapacityLimits = Target["capacity"];

/** The free capacity of a target: a concurrency limit, and a token bucket each for requests and for tokens per minute. */
export class Capacity {
  readonly #clock: Clock;
  #limits: CapacityLimits = {};
  #requests: TokenBucket | undefined;
  #tokens: TokenBucket | undefined;
  #inFlight = 0;

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#clock = clock;
    this.change(limits);
  }

  /** Calls in flight still count. A bucket whose limit has changed starts full. */
  change(limits: CapacityLimits): void {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    if (limits.requestsPerMinute !== requestsPerMinute)
      this.#requests = createBucket(limits.requestsPerMinute, this.#clock);
    if (limits.tokensPerMinute !== tokensPerMinute)
      this.#tokens = createBucket(limits.tokensPerMinute, this.#clock);
    this.#limits = limits;
  }

  /** How long until a call of this size fits: 0 if it fits now, infinity if a call in flight has to end first. */
  waitMs(tokens: number): number {
    if (this.#inFlight >= (this.#limits.maxConcurrency ?? Number.POSITIVE_INFINITY))
      return Number.POSITIVE_INFINITY;
    return Math.max(this.#requests?.waitMs(1) ?? 0, this.#tokens?.waitMs(tokens) ?? 0);
  }

  acquire(tokens: number): void {
    this.#inFlight += 1;
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
  }

  /** Ends a call. Its request and its tokens stay spent: the buckets refill with time. */
  release(): void {
    this.#inFlight -= 1;
  }
}

function createBucket(perMinute: number | undefined, clock: Clock): TokenBucket | undefined {
  return perMinute === undefined ? undefined : new TokenBucket(perMinute, clock);
}

/** A token bucket that holds the amount of one minute and refills evenly. */
class TokenBucket {
  readonly #perMinute: number;
  readonly #clock: Clock;
  #level: number;
  #refilledAt: number;

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
    this.#level = perMinute;
    this.#refilledAt = clock.now();
  }

  waitMs(amount: number): number {
    this.#refill();
    // More than the bucket holds passes when it is full: waiting longer would not help.
    const missing = Math.min(amount, this.#perMinute) - this.#level;
    return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / this.#perMinute);
  }

  /** The level may fall below zero: then later calls wait longer. */
  take(amount: number): void {
    this.#refill();
    this.#level -= amount;
  }

  #refill(): void {
    const now = this.#clock.now();
    const refilled = this.#level + ((now - this.#refilledAt) * this.#perMinute) / 60_000;
    this.#level = Math.min(this.#perMinute, refilled);
    this.#refilledAt = now;
  }
}
