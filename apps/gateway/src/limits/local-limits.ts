import { Admission, type Taken, unlimited } from "./admission.js";
import type { Admitted, Amounts, LimitSubject, Limits } from "./limits.js";
import { rateLimitHeaders } from "./rate-limit-headers.js";
import { placeWaitMs, refusal, type Shortfall } from "./refusal.js";
import { amountOf, isLimited } from "./rules.js";
import { type SubjectUsage, UsageBook } from "./usage-book.js";

/** Counts in this process alone. It answers at once. */
export class LocalLimits implements Limits {
  readonly book = new UsageBook();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  admit(subjects: readonly LimitSubject[], estimate: Amounts): Admitted {
    const now = this.#now();
    const usages = this.usagesOf(subjects, now);
    if (usages.length === 0) return unlimited;
    const shortfall = shortfallOf(usages, estimate, now);
    if (shortfall !== undefined) throw refusal(shortfall, rateLimitHeaders(usages, now));
    const taken: Taken[] = [];
    for (const { subject, counters } of usages) {
      for (const counter of counters) {
        const amount = amountOf(counter.rule.unit, estimate);
        taken.push({ subject, counter, amount, window: counter.take(amount, now) });
      }
    }
    return new Admission({ usages, taken, now: this.#now });
  }

  /** Those of the subjects that have limits, with what they have used. */
  usagesOf(subjects: readonly LimitSubject[], now: number): readonly SubjectUsage[] {
    let usages: SubjectUsage[] | undefined;
    for (const subject of subjects) {
      if (!isLimited(subject)) continue;
      usages ??= [];
      usages.push(this.book.of(subject, now));
    }
    return usages ?? none;
  }
}

const none: readonly SubjectUsage[] = Object.freeze([]);

/** The limit that keeps a request out for the longest time; undefined where none does. */
export function shortfallOf(
  usages: readonly Pick<SubjectUsage, "subject" | "counters" | "underWay" | "maxConcurrency">[],
  estimate: Amounts,
  now: number,
): Shortfall | undefined {
  let worst: Shortfall | undefined;
  for (const { subject, counters, underWay, maxConcurrency } of usages) {
    if (underWay >= maxConcurrency && worst === undefined)
      worst = { subject, waitMs: placeWaitMs, maxConcurrency };
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
