import { type Counter, type SubjectUsage, UsageRegistry, type UsageWindow } from "./counters.js";
import type { AdmittedRequest, Amounts, LimitScope, LimitSubject, LimitUsage, RateLimits } from "./limits.js";
import { amountOf, isLimited } from "./limits.js";
import { concurrencyWaitMs, type ExceededLimit, rateLimitHeaders, refusal } from "./rate-limit-response.js";

/** Counts in this process only. */
export class LocalLimits implements RateLimits {
  readonly registry = new UsageRegistry();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async admit(
    subjects: readonly LimitSubject[],
    estimate: Amounts,
    scope: LimitScope = "all",
  ): Promise<AdmittedRequest> {
    const now = this.#now();
    const usages = this.usagesOf(subjects, now);
    if (usages.length === 0) return unlimited;
    const shortfall = shortfallOf(scope === "all" ? usages : withoutConcurrency(usages), estimate, now);
    if (shortfall !== undefined) throw refusal(shortfall, rateLimitHeaders(usages, now));
    const taken: TakenAmount[] = [];
    for (const { subject, counters } of usages) {
      for (const counter of counters) {
        const amount = amountOf(counter.rule.unit, estimate);
        taken.push({ subject, counter, amount, window: counter.take(amount, now) });
      }
    }
    return new CountedRequest({ usages: scope === "all" ? usages : none, taken, now: this.#now });
  }

  async usage(subject: LimitSubject): Promise<readonly LimitUsage[]> {
    const now = this.#now();
    const counters = this.usagesOf([subject], now).flatMap((usage) => usage.counters);
    return counters.map((counter) => ({ rule: counter.rule, used: counter.used(now) }));
  }

  /** The usages of those subjects that have limits. */
  usagesOf(subjects: readonly LimitSubject[], now: number): readonly SubjectUsage[] {
    let usages: SubjectUsage[] | undefined;
    for (const subject of subjects) {
      if (!isLimited(subject)) continue;
      usages ??= [];
      usages.push(this.registry.of(subject, now));
    }
    return usages ?? none;
  }
}

const none: readonly SubjectUsage[] = Object.freeze([]);

type ComparedUsage = Pick<SubjectUsage, "subject" | "counters" | "inFlight" | "maxConcurrency">;

export function withoutConcurrency(usages: readonly SubjectUsage[]): ComparedUsage[] {
  return usages.map(({ subject, counters, inFlight }) => ({
    subject,
    counters,
    inFlight,
    maxConcurrency: Number.POSITIVE_INFINITY,
  }));
}

/** The limit that refuses the request for the longest time; undefined if the request fits. */
export function shortfallOf(
  usages: readonly ComparedUsage[],
  estimate: Amounts,
  now: number,
): ExceededLimit | undefined {
  let worst: ExceededLimit | undefined;
  for (const { subject, counters, inFlight, maxConcurrency } of usages) {
    if (inFlight >= maxConcurrency && worst === undefined)
      worst = { subject, waitMs: concurrencyWaitMs, maxConcurrency };
    for (const counter of counters) {
      const { rule } = counter;
      const requested = amountOf(rule.unit, estimate);
      const waitMs = requested > rule.max ? Number.POSITIVE_INFINITY : counter.waitMs(requested, now);
      if (waitMs > (worst?.waitMs ?? 0))
        worst = { subject, waitMs, rule, requested, used: counter.used(now) };
    }
  }
  return worst;
}

/** The amount that a request took from one counter window. */
export interface TakenAmount {
  readonly subject: LimitSubject;
  readonly counter: Counter;
  readonly window: UsageWindow;
  readonly amount: number;
}

/** A request's hold on the shared counters. Both methods return at once. */
interface SharedHold {
  settle(used: Amounts): void;
  release(): void;
}

interface CountedRequestOptions {
  readonly usages: readonly SubjectUsage[];
  readonly taken: readonly TakenAmount[];
  readonly now: () => number;
  readonly shared?: SharedHold;
}

/** An admitted request with the amounts it took. It counts as in flight from its creation until `release`. */
export class CountedRequest implements AdmittedRequest {
  readonly #options: CountedRequestOptions;
  #isSettled = false;
  #isReleased = false;

  constructor(options: CountedRequestOptions) {
    this.#options = options;
    for (const usage of options.usages) usage.inFlight += 1;
  }

  settle(used: Amounts): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { taken, now, shared } = this.#options;
    const at = now();
    for (const { counter, window, amount } of taken) {
      const difference = amountOf(counter.rule.unit, used) - amount;
      if (difference !== 0) counter.correct(window, difference, at);
    }
    shared?.settle(used);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    for (const usage of this.#options.usages) usage.inFlight -= 1;
    this.#options.shared?.release();
  }

  headers(): Record<string, string> {
    return rateLimitHeaders(this.#options.usages, this.#options.now());
  }
}

/** An admitted request whose subjects have no limits. */
export const unlimited: AdmittedRequest = Object.freeze({
  settle: () => undefined,
  release: () => undefined,
  headers: () => noHeaders,
});
const noHeaders = Object.freeze({});
