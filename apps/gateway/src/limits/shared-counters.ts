import type { LimitSubject } from "./limits.js";
import type { Rule } from "./rules.js";

/** Counters that all replicas share. */
export interface SharedCounters {
  /** Takes everything that is asked for, or nothing. Undefined where the counters are away. */
  take(ask: SharedAsk): Promise<SharedTake | undefined>;
  /** Returns at once; what can not be delivered is lost. */
  settle(corrections: readonly SharedCorrection[]): void;
  /** Gives back the places that were taken under a lease. Returns at once. */
  release(lease: string): void;
}

export interface SharedAsk {
  readonly counts: readonly (SharedCount & { readonly amount: number })[];
  /** Subjects that have only so many places for requests at once. */
  readonly places: readonly { readonly subject: LimitSubject; readonly max: number }[];
}

export interface SharedCount {
  readonly subject: LimitSubject;
  readonly rule: Rule;
}

export interface SharedTake {
  readonly isTaken: boolean;
  /** For each count, what is used of it now, and when it began and ends by its own clock; all 0 where it has not begun. */
  readonly counts: readonly { readonly used: number; readonly startsAt: number; readonly endsInMs: number }[];
  /** For each of the places, how many are taken now. */
  readonly places: readonly number[];
  /** What the places are held under; they are lost if nobody renews them. */
  readonly lease: string;
}

export interface SharedCorrection extends SharedCount {
  /** The window from which it was taken. */
  readonly startsAt: number;
  readonly difference: number;
}
