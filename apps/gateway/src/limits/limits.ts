import type { UsageLimits } from "../domain/access-key.js";

/** Lets requests in as long as keys and models have not used more than they may. */
export interface Limits {
  /**
   * Takes what a request is expected to use from every limit of its subjects, or from none: then it throws, or rejects
   * with, `rate_limit_exceeded`. It answers at once, without a promise, where nobody else must be asked.
   */
  admit(subjects: readonly LimitSubject[], estimate: Amounts): AdmittedRequest | Promise<AdmittedRequest>;
}

/** Somebody who uses the gateway, or something that is used. */
export interface LimitSubject {
  readonly name: "key" | "model";
  readonly id: string;
  /** Its limits change when this object is another one. */
  readonly limits: UsageLimits | undefined;
}

/** How much a request uses beside being one: tokens that go in, images that come out. */
export interface Amounts {
  readonly tokens: number;
  readonly images: number;
}

/** A request that was let in. */
export interface AdmittedRequest {
  /**
   * Told once how much was truly used: what was not is given back, what was used beyond the estimate is charged, past
   * the limit if need be. Without it the estimate stands.
   */
  settle(used: Amounts): void;
  /** Told once when the request is over: its place among the concurrent ones is free. */
  release(): void;
  /** The `x-ratelimit-*` headers as they are now. */
  headers(): Readonly<Record<string, string>>;
}

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
