import { type LimitedSubject, type Rule, rulesOf } from "./limits.js";

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

/** What was used in one stretch of time. When it is over another one takes its place. */
export interface UsageWindow {
  used: number;
  /** When it began, as whoever counts it knows it: it tells one window from the next. */
  readonly startsAt: number;
  /** When it is over, by the clock of this process. */
  readonly endsAt: number;
}

/** Counts what is used under one rule. A minute begins with its first use; a day is a day of UTC. */
export class Counter {
  /** An operator may change how much is allowed while it counts. */
  rule: Rule;
  #window: UsageWindow = { used: 0, startsAt: -1, endsAt: 0 };

  constructor(rule: Rule) {
    this.rule = rule;
  }

  used(now: number): number {
    return now < this.#window.endsAt ? this.#window.used : 0;
  }

  /** How long until nothing is used any more. */
  resetMs(now: number): number {
    return this.used(now) === 0 ? 0 : this.#window.endsAt - now;
  }

  /** How long until so much more fits, where it can fit at all; 0 where it fits now. */
  waitMs(amount: number, now: number): number {
    return amount === 0 || this.used(now) + amount <= this.rule.max ? 0 : this.#window.endsAt - now;
  }

  take(amount: number, now: number): UsageWindow {
    if (now >= this.#window.endsAt) this.#window = begin(this.rule, now);
    this.#window.used += amount;
    return this.#window;
  }

  /** Mends what was taken from a window. What is given back to one that is over is lost; what is owed is not. */
  correct(window: UsageWindow, difference: number, now: number): void {
    if (window === this.#window && now < window.endsAt) window.used += difference;
    else if (difference > 0) this.take(difference, now);
  }

  /** Takes over what somebody else has counted. */
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

/** With fewer subjects than this nobody looks for those that are done. */
const sweepSizeMin = 1024;

/** Keeps what every subject has used, for as long as that matters. */
export class UsageBook {
  readonly #usages = { key: new Map<string, SubjectUsage>(), model: new Map<string, SubjectUsage>() };
  #sweepAt = sweepSizeMin;

  /** How many subjects are kept. */
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

  /** Forgets whoever uses nothing. Done each time that twice as many are kept, it costs a request next to nothing. */
  #sweep(now: number): void {
    for (const usages of Object.values(this.#usages)) {
      for (const [id, usage] of usages) if (usage.isIdle(now)) usages.delete(id);
    }
    this.#sweepAt = Math.max(sweepSizeMin, this.size * 2);
  }
}

/** What one subject has used, and how many of its requests are under way. */
export class SubjectUsage {
  subject: LimitedSubject;
  counters: readonly Counter[];
  underWay = 0;

  constructor(subject: LimitedSubject) {
    this.subject = subject;
    this.counters = rulesOf(subject.limits).map((rule) => new Counter(rule));
  }

  get maxConcurrency(): number {
    return this.subject.limits.maxConcurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Goes by other limits from now on, with what was used under the old ones. */
  follow(subject: LimitedSubject): void {
    if (subject.limits === this.subject.limits) return;
    this.subject = subject;
    this.counters = rulesOf(subject.limits).map((rule) => this.#counterFor(rule));
  }

  isIdle(now: number): boolean {
    return this.underWay === 0 && this.counters.every((counter) => counter.used(now) === 0);
  }

  #counterFor(rule: Rule): Counter {
    const counter = this.counters.find(({ rule: { unit, per } }) => unit === rule.unit && per === rule.per);
    if (counter === undefined) return new Counter(rule);
    counter.rule = rule;
    return counter;
  }
}
