import { GatewayError } from "../errors.js";
import { goDuration } from "./go-duration.js";
import type { LimitSubject } from "./limits.js";
import type { Rule } from "./rules.js";

/** A limit that a request does not fit into. */
export type Shortfall = { readonly subject: LimitSubject; readonly waitMs: number } & (
  | { readonly rule: Rule; readonly used: number; readonly requested: number }
  | { readonly maxConcurrency: number }
);

/** Nobody knows when another request will be over, so that the wait for a place is a guess. */
export const placeWaitMs = 1000;

/** Clients wait no longer than this by themselves. */
const clientWaitMsMax = 60_000;

const names: Readonly<Record<Rule["unit"], Readonly<Record<Rule["per"], string>>>> = {
  requests: { minute: "requests per min (RPM)", day: "requests per day (RPD)" },
  tokens: { minute: "tokens per min (TPM)", day: "tokens per day (TPD)" },
  images: { minute: "images per min (IPM)", day: "images per day (IPD)" },
};

/** The 429 of a request over its limits. A wait of infinity says that it can not pass at any time. */
export function refusal(
  shortfall: Shortfall,
  rateLimitHeaders: Readonly<Record<string, string>>,
): GatewayError {
  const { waitMs } = shortfall;
  const helpsToRetry = waitMs <= clientWaitMsMax;
  return new GatewayError("rate_limit_exceeded", explain(shortfall), {
    nothingMade: true,
    headers: { ...rateLimitHeaders, ...(helpsToRetry ? {} : { "x-should-retry": "false" }) },
    ...(Number.isFinite(waitMs) ? { retryAfterMs: waitMs } : {}),
  });
}

function explain(shortfall: Shortfall): string {
  const { subject, waitMs } = shortfall;
  const who = subject.name === "key" ? "this key" : `the model '${subject.id}'`;
  const again = `Please try again in ${goDuration(waitMs)}.`;
  if ("maxConcurrency" in shortfall) {
    return `Rate limit reached for ${who} on concurrent requests: Limit ${shortfall.maxConcurrency}. ${again}`;
  }
  const { rule, used, requested } = shortfall;
  const name = names[rule.unit][rule.per];
  if (!Number.isFinite(waitMs)) {
    return `Request too large for ${who} on ${name}: Limit ${rule.max}, Requested ${requested}. It can not pass at any time; ask for less at once.`;
  }
  return `Rate limit reached for ${who} on ${name}: Limit ${rule.max}, Used ${used}, Requested ${requested}. ${again}`;
}
