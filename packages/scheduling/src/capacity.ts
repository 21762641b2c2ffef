import type { Target } from "@model-gateway/domain/model";
import type { Clock } from "@model-gateway/runtime/clock";

type CapacityLimits = Target["capacity"];

/**
 * The part of the capacity that a call may take. `interactive`: all of it. `bulk`: all but the share that is kept for
 * interactive calls. `overdue`: a bulk call that many interactive calls have passed. It may take kept requests and
 * tokens, but no more calls at once than the other bulk calls.
 */
export type PriorityClass = "interactive" | "bulk" | "overdue";

/** The capacity that a call needs. */
export interface Demand {
  readonly tokens: number;
  readonly priorityClass: PriorityClass;
}

/** The default share that is kept for interactive calls. */
const defaultInteractiveShare = 0.25;
/** Where interactive calls have used more at once, more is kept, up to this share: bulk calls go on. */
const usedShareMax = 0.75;
/** For so long, and at most twice as long, the most interactive calls at once count. */
const peakWindowMs = 10_000;
/**
 * A quarter of an upstream's connections (providers/http/connection/origins.ts), so that a stalled model leaves room
 * for the others there.
 */
const defaultMaxConcurrency = 256;

/** The free capacity of a target: a concurrency limit, and a token bucket each for requests and for tokens per minute. */
export class Capacity {
  readonly #clock: Clock;
  #limits: CapacityLimits = {};
  #requests: TokenBucket | undefined;
  #tokens: TokenBucket | undefined;
  #inFlight = 0;
  #bulkInFlight = 0;
  readonly #interactive: RecentPeak;
  #callsMax = defaultMaxConcurrency;
  #bulkMax = defaultMaxConcurrency;
  #usedMax = defaultMaxConcurrency;
  #keptShare = defaultInteractiveShare;

  constructor(limits: CapacityLimits, clock: Clock) {
    this.#clock = clock;
    this.#interactive = new RecentPeak(clock);
    this.change(limits);
  }

  /** Another model has the same target: the stricter of both limits hold for all calls. */
  restrict(limits: CapacityLimits): void {
    this.change(strictest(this.#limits, limits));
  }

  /** Calls in flight still count. A bucket whose limit has changed starts full. */
  change(limits: CapacityLimits): void {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    if (limits.requestsPerMinute !== requestsPerMinute)
      this.#requests = createBucket(limits.requestsPerMinute, this.#clock);
    if (limits.tokensPerMinute !== tokensPerMinute)
      this.#tokens = createBucket(limits.tokensPerMinute, this.#clock);
    this.#limits = limits;
    const { maxConcurrency = defaultMaxConcurrency, interactiveShare = defaultInteractiveShare } = limits;
    this.#callsMax = maxConcurrency;
    this.#keptShare = interactiveShare;
    // One at least: a target that takes a single call would never take a bulk one.
    this.#bulkMax = Math.max(1, Math.floor(maxConcurrency * (1 - interactiveShare)));
    this.#usedMax = Math.min(maxConcurrency - 1, Math.ceil(maxConcurrency * usedShareMax));
  }

  /** Whether bulk calls have all that they may have at once. */
  get isBulkShareFull(): boolean {
    if (this.#bulkInFlight === 0) return false;
    if (this.#bulkInFlight >= this.#bulkMax) return true;
    const used = Math.min(this.#interactive.latest(this.#interactiveInFlight), this.#usedMax);
    return this.#bulkInFlight >= this.#callsMax - used;
  }

  get #interactiveInFlight(): number {
    return this.#inFlight - this.#bulkInFlight;
  }

  /** Time until a call of this size fits: 0 if it fits now, infinity if a call in flight has to end first. */
  waitMs({ tokens, priorityClass }: Demand): number {
    if (this.#inFlight >= this.#callsMax) {
      // It would be in flight if bulk calls had left room for it.
      if (priorityClass === "interactive") this.#interactive.note(this.#interactiveInFlight + 1);
      return Number.POSITIVE_INFINITY;
    }
    if (priorityClass !== "interactive" && this.isBulkShareFull) return Number.POSITIVE_INFINITY;
    const keptShare = priorityClass === "bulk" ? this.#keptShare : 0;
    return Math.max(this.#requests?.waitMs(1, keptShare) ?? 0, this.#tokens?.waitMs(tokens, keptShare) ?? 0);
  }

  acquire({ tokens, priorityClass }: Demand): void {
    this.#inFlight += 1;
    if (priorityClass !== "interactive") this.#bulkInFlight += 1;
    else this.#interactive.note(this.#interactiveInFlight);
    this.#requests?.take(1);
    this.#tokens?.take(tokens);
  }

  /** Ends a call. Its request and its tokens stay spent: the buckets refill with time. */
  release({ priorityClass }: Demand): void {
    this.#inFlight -= 1;
    if (priorityClass !== "interactive") this.#bulkInFlight -= 1;
  }
}

/** The limits that satisfy both. */
export function strictest(one: CapacityLimits, other: CapacityLimits): CapacityLimits {
  const least = (limit: "maxConcurrency" | "requestsPerMinute" | "tokensPerMinute") => {
    const given = [one[limit], other[limit]].filter((value) => value !== undefined);
    return given.length === 0 ? {} : { [limit]: Math.min(...given) };
  };
  const { interactiveShare: share = defaultInteractiveShare } = one;
  const { interactiveShare: otherShare = defaultInteractiveShare } = other;
  return {
    ...least("maxConcurrency"),
    ...least("requestsPerMinute"),
    ...least("tokensPerMinute"),
    interactiveShare: Math.max(share, otherShare),
  };
}

function createBucket(perMinute: number | undefined, clock: Clock): TokenBucket | undefined {
  return perMinute === undefined ? undefined : new TokenBucket(perMinute, clock);
}

/** The most calls at once within the last seconds. */
class RecentPeak {
  readonly #clock: Clock;
  #peak = 0;
  #peakBefore = 0;
  #since: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#since = clock.now();
  }

  /** Runs for every interactive call, so it does not look at the clock. */
  note(calls: number): void {
    if (calls > this.#peak) this.#peak = calls;
  }

  /** @param calls Those in flight now. */
  latest(calls: number): number {
    const now = this.#clock.now();
    if (now - this.#since >= peakWindowMs) {
      this.#peakBefore = this.#peak;
      this.#peak = calls;
      this.#since = now;
    }
    return Math.max(this.#peak, this.#peakBefore);
  }
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

  /** @param keptShare The share of the bucket that must be left. */
  waitMs(amount: number, keptShare: number): number {
    this.#refill();
    // More than the bucket holds passes when it is full: waiting longer would not help.
    const missing = Math.min(amount + keptShare * this.#perMinute, this.#perMinute) - this.#level;
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
