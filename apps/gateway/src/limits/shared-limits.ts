import type { SubjectUsage } from "./counters.js";
import type { AdmittedRequest, Amounts, LimitScope, LimitSubject, LimitUsage, RateLimits } from "./limits.js";
import { amountOf, type Rule } from "./limits.js";
import {
  CountedRequest,
  LocalLimits,
  shortfallOf,
  type TakenAmount,
  unlimited,
  withoutConcurrency,
} from "./local-limits.js";
import { rateLimitHeaders, refusal } from "./rate-limit-response.js";

interface LimitsOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Counts for all replicas. Without it, and while it is unavailable, this process counts alone. */
  readonly shared?: SharedCounters;
}

export function openLimits({ now, shared }: LimitsOptions): RateLimits {
  const local = new LocalLimits(now);
  return shared === undefined ? local : new SharedLimits({ local, shared, now });
}

interface SharedLimitsOptions {
  readonly local: LocalLimits;
  readonly shared: SharedCounters;
  readonly now: () => number;
}

/**
 * Counts together with all replicas. A copy of the shared counts is kept in this process, which continues from it alone
 * while the shared counters are unavailable.
 */
class SharedLimits implements RateLimits {
  readonly #options: SharedLimitsOptions;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
  }

  async admit(
    subjects: readonly LimitSubject[],
    estimate: Amounts,
    scope: LimitScope = "all",
  ): Promise<AdmittedRequest> {
    const { local, now } = this.#options;
    const usages = local.usagesOf(subjects, now());
    return usages.length === 0 ? unlimited : this.#takeShared({ subjects, usages, estimate, scope });
  }

  async usage(subject: LimitSubject): Promise<readonly LimitUsage[]> {
    const { local, shared } = this.#options;
    const known = await local.usage(subject);
    if (known.length === 0) return known;
    // More than each limit allows, so that nothing is taken and no window begins.
    const counts = known.map(({ rule }) => ({ subject, rule, amount: rule.max + 1 }));
    const reply = await shared.take({ counts, concurrency: [] });
    return reply === undefined
      ? known
      : known.map(({ rule }, index) => ({ rule, used: reply.counts[index]?.used ?? 0 }));
  }

  async #takeShared({ subjects, usages, estimate, scope }: SharedAdmission): Promise<AdmittedRequest> {
    const { local, shared, now } = this.#options;
    const running = scope === "all" ? usages : [];
    const wanted = usages.flatMap(({ subject, counters }) =>
      counters.map((counter) => ({ subject, counter, amount: amountOf(counter.rule.unit, estimate) })),
    );
    const reply = await shared.take({
      counts: wanted.map(({ subject, counter: { rule }, amount }) => ({ subject, rule, amount })),
      concurrency: withConcurrencyLimit(running).map(({ subject, maxConcurrency: max }) => ({
        subject,
        max,
      })),
    });
    if (reply === undefined) return local.admit(subjects, estimate, scope);
    const at = now();
    const taken = adopt(wanted, reply.counts, at);
    if (reply.isTaken) return this.#countRequest(running, taken, reply.lease);
    const compared =
      scope === "all" ? withSharedInFlight(usages, reply.inFlight) : withoutConcurrency(usages);
    const shortfall = shortfallOf(compared, estimate, at);
    // The limits were changed while the call was in flight.
    if (shortfall === undefined) return local.admit(subjects, estimate, scope);
    throw refusal(shortfall, rateLimitHeaders(usages, at));
  }

  #countRequest(
    usages: readonly SubjectUsage[],
    taken: readonly TakenAmount[],
    lease: string,
  ): CountedRequest {
    const { shared, now } = this.#options;
    const hasLease = withConcurrencyLimit(usages).length > 0;
    return new CountedRequest({
      usages,
      taken,
      now,
      shared: {
        settle: (used) => {
          const corrections = correctionsOf(taken, used);
          if (corrections.length > 0) shared.settle(corrections);
        },
        release: () => {
          if (hasLease) shared.release(lease);
        },
      },
    });
  }
}

interface SharedAdmission {
  readonly subjects: readonly LimitSubject[];
  /** Of the subjects with limits. */
  readonly usages: readonly SubjectUsage[];
  readonly estimate: Amounts;
  readonly scope: LimitScope;
}

function withConcurrencyLimit(usages: readonly SubjectUsage[]): readonly SubjectUsage[] {
  return usages.filter(({ maxConcurrency }) => Number.isFinite(maxConcurrency));
}

/** Copies the shared counts, which are in the order of the request. */
function adopt(
  wanted: readonly Omit<TakenAmount, "window">[],
  counts: SharedTakeReply["counts"],
  now: number,
): TakenAmount[] {
  return wanted.flatMap((one, index) => {
    const count = counts[index];
    if (count === undefined) return [];
    const { used, startsAt, endsInMs } = count;
    return { ...one, window: one.counter.adopt({ used, startsAt, endsAt: now + endsInMs }) };
  });
}

function correctionsOf(taken: readonly TakenAmount[], used: Amounts): SharedCorrection[] {
  return taken.flatMap(({ subject, counter: { rule }, window: { startsAt }, amount }) => {
    const difference = amountOf(rule.unit, used) - amount;
    return difference === 0 ? [] : { subject, rule, startsAt, difference };
  });
}

/** Replaces the requests in flight here by those of all replicas. */
function withSharedInFlight(usages: readonly SubjectUsage[], shared: readonly number[]) {
  const inFlight = new Map(withConcurrencyLimit(usages).map((usage, index) => [usage, shared[index] ?? 0]));
  return usages.map((usage) => {
    const { subject, counters, maxConcurrency } = usage;
    return { subject, counters, maxConcurrency, inFlight: inFlight.get(usage) ?? 0 };
  });
}

/** Counters that all replicas share. */
export interface SharedCounters {
  /** Takes all amounts of the request, or none. Undefined if the counters are unavailable. */
  take(request: SharedTakeRequest): Promise<SharedTakeReply | undefined>;
  /** Returns at once. A correction that cannot be delivered is lost. */
  settle(corrections: readonly SharedCorrection[]): void;
  /** Ends the lease of a request in flight. Returns at once. */
  release(lease: string): void;
}

export interface SharedTakeRequest {
  readonly counts: readonly (SharedCount & { readonly amount: number })[];
  /** The subjects with a limit of concurrent requests. */
  readonly concurrency: readonly { readonly subject: LimitSubject; readonly max: number }[];
}

interface SharedCount {
  readonly subject: LimitSubject;
  readonly rule: Rule;
}

export interface SharedTakeReply {
  readonly isTaken: boolean;
  /** For each count its usage, its start by the counters' clock, and the time to its end; all 0 if it has not started. */
  readonly counts: readonly { readonly used: number; readonly startsAt: number; readonly endsInMs: number }[];
  /** For each subject of `concurrency`, its requests in flight. */
  readonly inFlight: readonly number[];
  /** Identifies the request among those in flight. It must be renewed, or it expires. */
  readonly lease: string;
}

export interface SharedCorrection extends SharedCount {
  /** The window from which the amount was taken. */
  readonly startsAt: number;
  readonly difference: number;
}
