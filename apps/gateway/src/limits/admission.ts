import type { Counter, UsageWindow } from "./counter.js";
import type { Admitted, Amounts, LimitSubject } from "./limits.js";
import { rateLimitHeaders } from "./rate-limit-headers.js";
import { amountOf } from "./rules.js";
import type { SubjectUsage } from "./usage-book.js";

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
export class Admission implements Admitted {
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
export const unlimited: Admitted = Object.freeze({
  settle: () => undefined,
  release: () => undefined,
  headers: () => noHeaders,
});
const noHeaders = Object.freeze({});
