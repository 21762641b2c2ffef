import type { Clock } from "../domain/clock.js";

/** How much a target may be given, as the operator knows it. */
export interface CapacityLimits {
  readonly maxConcurrency?: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** What a target has room for now: places for calls, and allowances that fill up again over a minute. */
export class Capacity {
  readonly #clock: Clock;
  #limits: CapacityLimits = {};
  #requests: Allowance | undefined;
  #tokens: Allowance | undefined;
  #underWay = 0;

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#clock = clock;
    this.change(limits);
  }

  /** What is under way goes on counting; an allowance that has changed begins anew. */
  change(limits: CapacityLimits): void {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    if (limits.requestsPerMinute !== requestsPerMinute)
      this.#requests = allowance(limits.requestsPerMinute, this.#clock);
    if (limits.tokensPerMinute !== tokensPerMinute)
      this.#tokens = allowance(limits.tokensPerMinute, this.#clock);
    this.#limits = limits;
  }

  /** How long until a call of so many tokens has room; 0 where it has, infinity where only another call's end helps. */
  waitMs(tokens: number): number {
    if (this.#underWay >= (this.#limits.maxConcurrency ?? Number.POSITIVE_INFINITY))
      return Number.POSITIVE_INFINITY;
    return Math.max(this.#requests?.waitMs(1) ?? 0, this.#tokens?.waitMs(tokens) ?? 0);
  }

  take(tokens: number): void {
    this.#underWay += 1;
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
  }

  giveBack(): void {
    this.#underWay -= 1;
  }
}

function allowance(perMinute: number | undefined, clock: Clock): Allowance | undefined {
  return perMinute === undefined ? undefined : new Allowance(perMinute, clock);
}

/** A bucket that holds a minute's worth and fills up evenly. */
class Allowance {
  readonly #perMinute: number;
  readonly #clock: Clock;
  #left: number;
  #seenAt: number;

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
    this.#left = perMinute;
    this.#seenAt = clock.now();
  }

  waitMs(amount: number): number {
    this.#fill();
    // What is more than a minute's worth may go when the bucket is full: it will never fit better.
    const missing = Math.min(amount, this.#perMinute) - this.#left;
    return missing <= 0 ? 0 : Math.ceil((missing * 60_000) / this.#perMinute);
  }

  take(amount: number): void {
    this.#fill();
    this.#left -= amount;
  }

  #fill(): void {
    const now = this.#clock.now();
    this.#left = Math.min(this.#perMinute, this.#left + ((now - this.#seenAt) * this.#perMinute) / 60_000);
    this.#seenAt = now;
  }
}
