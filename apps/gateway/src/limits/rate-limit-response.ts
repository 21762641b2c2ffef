import { GatewayError } from "@model-gateway/domain/errors";
import type { Counter, SubjectUsage } from "./counters.js";
import type { LimitSubject, Rule, Unit } from "./limits.js";

/** A limit that a request exceeds. */
export type ExceededLimit = { readonly subject: LimitSubject; readonly waitMs: number } & (
  | { readonly rule: Rule; readonly used: number; readonly requested: number }
  | { readonly maxConcurrency: number }
);

/** A guess: the end of a request in flight is not known. */
export const concurrencyWaitMs = 1000;

/** Client libraries do not wait longer than this for a retry. */
const clientWaitMsMax = 60_000;

const ruleNames: Readonly<Record<Rule["unit"], Readonly<Record<Rule["per"], string>>>> = {
  requests: { minute: "requests per min (RPM)", day: "requests per day (RPD)" },
  tokens: { minute: "tokens per min (TPM)", day: "tokens per day (TPD)" },
  images: { minute: "images per min (IPM)", day: "images per day (IPD)" },
};

/** The 429 of a request over its limits. An infinite wait means that the request can never succeed. */
export function refusal(
  shortfall: ExceededLimit,
  rateLimitHeaders: Readonly<Record<string, string>>,
): GatewayError {
  const { waitMs } = shortfall;
  const helpsToRetry = waitMs <= clientWaitMsMax;
  return new GatewayError("rate_limit_exceeded", explain(shortfall), {
    nothingBilled: true,
    headers: { ...rateLimitHeaders, ...(helpsToRetry ? {} : { "x-should-retry": "false" }) },
    retryAfterMs: Number.isFinite(waitMs) ? waitMs : undefined,
  });
}

function explain(shortfall: ExceededLimit): string {
  const { subject, waitMs } = shortfall;
  const who = subject.name === "key" ? "this key" : `the model '${subject.id}'`;
  const again = `Please try again in ${goDuration(waitMs)}.`;
  if ("maxConcurrency" in shortfall) {
    return `Rate limit reached for ${who} on concurrent requests: Limit ${shortfall.maxConcurrency}. ${again}`;
  }
  const { rule, used, requested } = shortfall;
  const name = ruleNames[rule.unit][rule.per];
  if (!Number.isFinite(waitMs)) {
    return `Request too large for ${who} on ${name}: Limit ${rule.max}, Requested ${requested}. The request alone exceeds the limit and can never succeed. Send a smaller one.`;
  }
  return `Rate limit reached for ${who} on ${name}: Limit ${rule.max}, Used ${used}, Requested ${requested}. ${again}`;
}

const units = ["requests", "tokens", "images"] as const satisfies readonly Unit[];
const headerNames = {
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

/** For each limited unit, the limit with the least left: it stops the caller first. */
export function rateLimitHeaders(usages: readonly SubjectUsage[], now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const unit of units) {
    const counter = tightest(usages, unit, now);
    if (counter === undefined) continue;
    const { limit, remaining, reset } = headerNames[unit];
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

/** Milliseconds in Go's notation: `12ms`, `1.5s`, `6m0s`, `24h0m0s`. https://pkg.go.dev/time#Duration.String */
export function goDuration(ms: number): string {
  const whole = Math.max(0, Math.ceil(ms));
  if (whole === 0) return "0s";
  if (whole < 1000) return `${whole}ms`;
  const hours = Math.floor(whole / 3_600_000);
  const minutes = Math.floor(whole / 60_000) % 60;
  const seconds = (whole % 60_000) / 1000;
  if (hours > 0) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
