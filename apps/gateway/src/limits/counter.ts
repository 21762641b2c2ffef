import type { Rule } from "./rules.js";

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
