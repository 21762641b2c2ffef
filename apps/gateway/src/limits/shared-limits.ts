import type { SubjectUsage } from "./counters.js";
import type { AdmittedRequest, Amounts, LimitSubject, Limits } from "./limits.js";
import { amountOf, type Rule } from "./limits.js";
import { CountedRequest, LocalLimits, shortfallOf, type Taken, unlimited } from "./local-limits.js";
import { rateLimitHeaders, refusal } from "./rate-limit-response.js";

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

export interface SharedLimitsNeeds {
  readonly local: LocalLimits;
  readonly shared: SharedCounters;
  readonly now: () => number;
}

/**
 * Counts together with all replicas. What they have counted is kept here as well, so that this process goes on from
 * there by itself when the shared counters are away.
 */
export class SharedLimits implements Limits {
  readonly #needs: SharedLimitsNeeds;

  constructor(needs: SharedLimitsNeeds) {
    this.#needs = needs;
  }

  admit(subjects: readonly LimitSubject[], estimate: Amounts): AdmittedRequest | Promise<AdmittedRequest> {
    const { local, now } = this.#needs;
    const usages = local.usagesOf(subjects, now());
    return usages.length === 0 ? unlimited : this.#ask(subjects, usages, estimate);
  }

  async #ask(
    subjects: readonly LimitSubject[],
    usages: readonly SubjectUsage[],
    estimate: Amounts,
  ): Promise<AdmittedRequest> {
    const { local, shared, now } = this.#needs;
    const asked = usages.flatMap(({ subject, counters }) =>
      counters.map((counter) => ({ subject, counter, amount: amountOf(counter.rule.unit, estimate) })),
    );
    const reply = await shared.take({
      counts: asked.map(({ subject, counter: { rule }, amount }) => ({ subject, rule, amount })),
      places: limitedPlaces(usages).map(({ subject, maxConcurrency: max }) => ({ subject, max })),
    });
    if (reply === undefined) return local.admit(subjects, estimate);
    const at = now();
    const taken = adopt(asked, reply.counts, at);
    if (reply.isTaken) return this.#admission(usages, taken, reply.lease);
    const shortfall = shortfallOf(withPlaces(usages, reply.places), estimate, at);
    // The limits were changed while the question was under way.
    if (shortfall === undefined) return local.admit(subjects, estimate);
    throw refusal(shortfall, rateLimitHeaders(usages, at));
  }

  #admission(usages: readonly SubjectUsage[], taken: readonly Taken[], lease: string): CountedRequest {
    const { shared, now } = this.#needs;
    const hasPlaces = limitedPlaces(usages).length > 0;
    return new CountedRequest({
      usages,
      taken,
      now,
      elsewhere: {
        settle: (used) => {
          const corrections = correctionsOf(taken, used);
          if (corrections.length > 0) shared.settle(corrections);
        },
        release: () => {
          if (hasPlaces) shared.release(lease);
        },
      },
    });
  }
}

function limitedPlaces(usages: readonly SubjectUsage[]): readonly SubjectUsage[] {
  return usages.filter(({ maxConcurrency }) => Number.isFinite(maxConcurrency));
}

/** Keeps what the replicas have counted, in the order in which they were asked. */
function adopt(asked: readonly Omit<Taken, "window">[], counts: SharedTake["counts"], now: number): Taken[] {
  return asked.flatMap((one, index) => {
    const count = counts[index];
    if (count === undefined) return [];
    const { used, startsAt, endsInMs } = count;
    return { ...one, window: one.counter.adopt({ used, startsAt, endsAt: now + endsInMs }) };
  });
}

function correctionsOf(taken: readonly Taken[], used: Amounts): SharedCorrection[] {
  return taken.flatMap(({ subject, counter: { rule }, window: { startsAt }, amount }) => {
    const difference = amountOf(rule.unit, used) - amount;
    return difference === 0 ? [] : { subject, rule, startsAt, difference };
  });
}

function withPlaces(usages: readonly SubjectUsage[], places: readonly number[]) {
  const underWay = new Map(limitedPlaces(usages).map((usage, index) => [usage, places[index] ?? 0]));
  return usages.map((usage) => {
    const { subject, counters, maxConcurrency } = usage;
    return { subject, counters, maxConcurrency, underWay: underWay.get(usage) ?? 0 };
  });
}

/** Counters that all replicas share. */
export interface SharedCounters {
  /** Takes everything that is asked for, or nothing. Undefined where the counters are away. */
  take(ask: SharedAsk): Promise<SharedTake | undefined>;
  /** Returns at once; what cannot be delivered is lost. */
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
