import type { Counter } from "./counter.js";
import { goDuration } from "./go-duration.js";
import type { Unit } from "./rules.js";
import type { SubjectUsage } from "./usage-book.js";

const units = ["requests", "tokens", "images"] as const satisfies readonly Unit[];
const names = {
  requests: namesFor("requests"),
  tokens: namesFor("tokens"),
  images: namesFor("images"),
};

function namesFor(unit: Unit) {
  return {
    limit: `x-ratelimit-limit-${unit}`,
    remaining: `x-ratelimit-remaining-${unit}`,
    reset: `x-ratelimit-reset-${unit}`,
  };
}

/** For each unit that is limited, the limit that will stop the caller first: it has the least left. */
export function rateLimitHeaders(usages: readonly SubjectUsage[], now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const unit of units) {
    const counter = tightest(usages, unit, now);
    if (counter === undefined) continue;
    const { limit, remaining, reset } = names[unit];
    headers[limit] = String(counter.rule.max);
    headers[remaining] = String(left(counter, now));
    headers[reset] = goDuration(counter.resetMs(now));
  }
  return headers;
}

function tightest(usages: readonly SubjectUsage[], unit: Unit, now: number): Counter | undefined {
  let found: Counter | undefined;
  for (const { counters } of usages) {
    for (const counter of counters) {
      if (counter.rule.unit !== unit) continue;
      if (found === undefined || left(counter, now) < left(found, now)) found = counter;
    }
  }
  return found;
}

function left(counter: Counter, now: number): number {
  return Math.max(0, counter.rule.max - counter.used(now));
}
