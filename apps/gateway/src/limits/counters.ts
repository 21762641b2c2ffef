import { type LimitedSubject, type Rule, rulesOf } from "./limits.js";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The usage of one minute or day. When it ends, a new window replaces it. */
export interface UsageWindow {
  used: number;
  /** Identifies the window. It is a time of the clock that counts: this process or Redis. */
  readonly startsAt: number;
  /** By the clock of this process. */
  readonly endsAt: number;
}

/** Counts usage under one rule. A minute starts with its first use; a day is a UTC day. */
export class Counter {
  /** Replaced when an operator changes the limit. */
  rule: Rule;
  #window: UsageWindow = { used: 0, startsAt: -1, endsAt: 0 };

  constructor(rule: Rule) {
    this.rule = rule;
  }

  used(now: number): number {
    return now < this.#window.endsAt ? this.#window.used : 0;
  }

  /** Time until the usage is zero again. */
  resetMs(now: number): number {
    return this.used(now) === 0 ? 0 : this.#window.endsAt - now;
  }

  /** Time until the amount fits; 0 if it fits now. The amount must not exceed the rule's maximum. */
  waitMs(amount: number, now: number): number {
    return amount === 0 || this.used(now) + amount <= this.rule.max ? 0 : this.#window.endsAt - now;
  }

  take(amount: number, now: number): UsageWindow {
    if (now >= this.#window.endsAt) this.#window = begin(this.rule, now);
    this.#window.used += amount;
    return this.#window;
  }

  /**
   * Corrects the amount taken from a window. If the window is over, a refund is lost and a charge goes to the current
   * one.
   */
  correct(window: UsageWindow, difference: number, now: number): void {
    if (window === this.#window && now < window.endsAt) window.used += difference;
    else if (difference > 0) this.take(difference, now);
  }

  /** Takes over the shared count. */
  adopt(seen: UsageWindow): UsageWindow {
    if (this.#window.startsAt === seen.startsAt) this.#window.used = seen.used;
    else this.#window = { ...seen };
    return this.#window;
  }
}

function begin({ per }: Rule, now: number): UsageWindow {
  if (per === "minute") return { used: 0, startsAt: now, endsAt: now + minuteMs };
  const startsAt = now - (now % dayMs);
  return { used: 0, startsAt, endsAt: startsAt + dayMs };
}

/** No sweep below this number of subjects. */
const sweepSizeMin = 1024;

/** The usage of every subject that used something recently. */
export class UsageRegistry {
  readonly #usages = { key: new Map<string, SubjectUsage>(), model: new Map<string, SubjectUsage>() };
  #sweepAt = sweepSizeMin;

  /** The number of subjects in memory. */
  get size(): number {
    return this.#usages.key.size + this.#usages.model.size;
  }

  of(subject: LimitedSubject, now: number): SubjectUsage {
    const known = this.#usages[subject.name].get(subject.id);
    if (known !== undefined) {
      known.follow(subject);
      return known;
    }
    if (this.size >= this.#sweepAt) this.#sweep(now);
    const usage = new SubjectUsage(subject);
    this.#usages[subject.name].set(subject.id, usage);
    return usage;
  }

  /** Removes idle subjects. It runs when their number has doubled, so its amortised cost per request is constant. */
  #sweep(now: number): void {
    for (const usages of Object.values(this.#usages)) {
      for (const [id, usage] of usages) if (usage.isIdle(now)) usages.delete(id);
    }
    this.#sweepAt = Math.max(sweepSizeMin, this.size * 2);
  }
}

/** The usage of one subject, and its number of requests in flight. */
export class SubjectUsage {
  subject: LimitedSubject;
  counters: readonly Counter[];
  inFlight = 0;

  constructor(subject: LimitedSubject) {
    this.subject = subject;
    this.counters = rulesOf(subject.limits).map((rule) => new Counter(rule));
  }

  get maxConcurrency(): number {
    return this.subject.limits.maxConcurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Switches to changed limits and keeps the usage counted so far. */
  follow(subject: LimitedSubject): void {
    if (subject.limits === this.subject.limits) return;
    this.subject = subject;
    this.counters = rulesOf(subject.limits).map((rule) => this.#counterFor(rule));
  }

  isIdle(now: number): boolean {
    return this.inFlight === 0 && this.counters.every((counter) => counter.used(now) === 0);
  }

  #counterFor(rule: Rule): Counter {
    const counter = this.counters.find(({ rule: { unit, per } }) => unit === rule.unit && per === rule.per);
    if (counter === undefined) return new Counter(rule);
    counter.rule = rule;
    return counter;
  }
}
