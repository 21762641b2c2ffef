import { type Counter, type SubjectUsage, UsageBook, type UsageWindow } from "./counters.js";
import type { AdmittedRequest, Amounts, LimitSubject, Limits } from "./limits.js";
import { amountOf, isLimited } from "./limits.js";
import { placeWaitMs, rateLimitHeaders, refusal, type Shortfall } from "./rate-limit-response.js";

/** Counts in this process alone. It answers at once. */
export class LocalLimits implements Limits {
  readonly book = new UsageBook();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  admit(subjects: readonly LimitSubject[], estimate: Amounts): AdmittedRequest {
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
    return new CountedRequest({ usages, taken, now: this.#now });
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

/** What a request took from one counter, and from which window of it. */
export interface Taken {
  readonly subject: LimitSubject;
  readonly counter: Counter;
  readonly window: UsageWindow;
  readonly amount: number;
}

/** Whoever else must hear of what becomes of a request. */
export interface Elsewhere {
  settle(used: Amounts): void;
  release(): void;
}

export interface AdmissionParts {
  readonly usages: readonly SubjectUsage[];
  readonly taken: readonly Taken[];
  readonly now: () => number;
  readonly elsewhere?: Elsewhere;
}

/** A request that was let in, with all that it has taken. It holds its places from the beginning. */
export class CountedRequest implements AdmittedRequest {
  readonly #parts: AdmissionParts;
  #isSettled = false;
  #isReleased = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    for (const usage of parts.usages) usage.underWay += 1;
  }

  settle(used: Amounts): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { taken, now, elsewhere } = this.#parts;
    const at = now();
    for (const { counter, window, amount } of taken) {
      const difference = amountOf(counter.rule.unit, used) - amount;
      if (difference !== 0) counter.correct(window, difference, at);
    }
    elsewhere?.settle(used);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    for (const usage of this.#parts.usages) usage.underWay -= 1;
    this.#parts.elsewhere?.release();
  }

  headers(): Record<string, string> {
    return rateLimitHeaders(this.#parts.usages, this.#parts.now());
  }
}

/** A request that nobody counts. */
export const unlimited: AdmittedRequest = Object.freeze({
  settle: () => undefined,
  release: () => undefined,
  headers: () => noHeaders,
});
const noHeaders = Object.freeze({});
