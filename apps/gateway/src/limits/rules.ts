import type { UsageLimits } from "../domain/access-key.js";
import type { Amounts, LimitSubject } from "./limits.js";

/** What is counted. */
export type Unit = "requests" | "tokens" | "images";

/** How much of what is allowed in which time. */
export interface Rule {
  readonly unit: Unit;
  readonly per: "minute" | "day";
  readonly max: number;
}

const kinds = [
  { limit: "requestsPerMinute", unit: "requests", per: "minute" },
  { limit: "tokensPerMinute", unit: "tokens", per: "minute" },
  { limit: "imagesPerMinute", unit: "images", per: "minute" },
  { limit: "requestsPerDay", unit: "requests", per: "day" },
  { limit: "tokensPerDay", unit: "tokens", per: "day" },
  { limit: "imagesPerDay", unit: "images", per: "day" },
] as const satisfies readonly (Omit<Rule, "max"> & { limit: keyof UsageLimits })[];

export function rulesOf(limits: UsageLimits): Rule[] {
  return kinds.flatMap(({ limit, unit, per }) => {
    const max = limits[limit];
    return max === undefined ? [] : [{ unit, per, max }];
  });
}

export type LimitedSubject = LimitSubject & { readonly limits: UsageLimits };

/** Whether there is any limit at all. Asked for every request, so that those without one cost nothing. */
export function isLimited(subject: LimitSubject): subject is LimitedSubject {
  const { limits } = subject;
  if (limits === undefined) return false;
  const any =
    limits.requestsPerMinute ??
    limits.requestsPerDay ??
    limits.tokensPerMinute ??
    limits.tokensPerDay ??
    limits.imagesPerMinute ??
    limits.imagesPerDay ??
    limits.maxConcurrency;
  return any !== undefined;
}

export function amountOf(unit: Unit, amounts: Amounts): number {
  return unit === "requests" ? 1 : amounts[unit];
}
