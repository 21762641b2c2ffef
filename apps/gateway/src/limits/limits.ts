import type { UsageLimits } from "../domain/access-key.js";
import { LocalLimits } from "./local-limits.js";
import type { SharedCounters } from "./shared-counters.js";
import { SharedLimits } from "./shared-limits.js";

/** Lets requests in as long as keys and models have not used more than they may. */
export interface Limits {
  /**
   * Takes what a request is expected to use from every limit of its subjects, or from none: then it throws, or rejects
   * with, `rate_limit_exceeded`. It answers at once, without a promise, where nobody else must be asked.
   */
  admit(subjects: readonly LimitSubject[], estimate: Amounts): Admitted | Promise<Admitted>;
}

/** Somebody who uses the gateway, or something that is used. */
export interface LimitSubject {
  readonly name: "key" | "model";
  readonly id: string;
  /** Its limits change when this object is another one. */
  readonly limits: UsageLimits | undefined;
}

/** How much a request uses beside being one: tokens that go in, pictures that come out. */
export interface Amounts {
  readonly tokens: number;
  readonly images: number;
}

/** A request that was let in. */
export interface Admitted {
  /**
   * Told once how much was truly used: what was not is given back, what was used beyond the estimate is charged, past
   * the limit if need be. Without it the estimate stands.
   */
  settle(used: Amounts): void;
  /** Told once when the request is over: its place among the concurrent ones is free. */
  release(): void;
  /** The `x-ratelimit-*` headers as they are now. */
  headers(): Readonly<Record<string, string>>;
}

export interface LimitsNeeds {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What all replicas count together. Without it, and while it is away, this process counts by itself. */
  readonly shared?: SharedCounters;
}

export function openLimits({ now, shared }: LimitsNeeds): Limits {
  const local = new LocalLimits(now);
  return shared === undefined ? local : new SharedLimits({ local, shared, now });
}
