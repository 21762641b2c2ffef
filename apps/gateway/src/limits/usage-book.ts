import { Counter } from "./counter.js";
import { type LimitedSubject, type Rule, rulesOf } from "./rules.js";

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
