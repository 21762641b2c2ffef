import type { UsageLimits } from "@model-gateway/domain/access-key";

/** Admits requests while the key and the model are within their limits. */
export interface RateLimits {
  /**
   * Takes the estimated amounts from every limit of the subjects, or from none: then it rejects with
   * `rate_limit_exceeded`.
   */
  admit(subjects: readonly LimitSubject[], estimate: Amounts, scope?: LimitScope): Promise<AdmittedRequest>;
  /** The usage under each limit of a subject now. Takes nothing. */
  usage(subject: LimitSubject): Promise<readonly LimitUsage[]>;
}

/** `rates`: the request does not run now, so limits of concurrent requests do not matter. Default: all limits do. */
export type LimitScope = "all" | "rates";

/** A limit, and the amount that was taken from it in its current minute or day. */
export interface LimitUsage {
  readonly rule: Rule;
  readonly used: number;
}

/** A key or a model, with its limits. */
export interface LimitSubject {
  readonly name: "key" | "model";
  readonly id: string;
  /** Compared by identity: changed limits are a new object. */
  readonly limits: UsageLimits | undefined;
}

/** A request's usage: input tokens and output images. */
export interface Amounts {
  /** Absent: the request counts as one. */
  readonly requests?: 0;
  readonly tokens: number;
  readonly images: number;
}

/** A request within its limits, as its caller sees it. `CountedRequest` implements it. */
export interface AdmittedRequest {
  /**
   * Replaces the estimate by the actual amounts. The unused rest is returned; usage beyond the estimate is charged,
   * even past the limit. Only the first call counts; without one the estimate stays.
   */
  settle(used: Amounts): void;
  /** Ends the request: it no longer counts as concurrent. Only the first call counts. */
  release(): void;
  /** The current `x-ratelimit-*` headers. */
  headers(): Readonly<Record<string, string>>;
}

export type Unit = "requests" | "tokens" | "images";

/** At most `max` units in each minute or day. */
export interface Rule {
  readonly unit: Unit;
  readonly per: "minute" | "day";
  readonly max: number;
}

const ruleKinds = [
  { limit: "requestsPerMinute", unit: "requests", per: "minute" },
  { limit: "tokensPerMinute", unit: "tokens", per: "minute" },
  { limit: "imagesPerMinute", unit: "images", per: "minute" },
  { limit: "requestsPerDay", unit: "requests", per: "day" },
  { limit: "tokensPerDay", unit: "tokens", per: "day" },
  { limit: "imagesPerDay", unit: "images", per: "day" },
] as const satisfies readonly (Omit<Rule, "max"> & { limit: keyof UsageLimits })[];

export function rulesOf(limits: UsageLimits): Rule[] {
  return ruleKinds.flatMap(({ limit, unit, per }) => {
    const max = limits[limit];
    return max === undefined ? [] : [{ unit, per, max }];
  });
}

export type LimitedSubject = LimitSubject & { readonly limits: UsageLimits };

/** Called for every request, so it allocates nothing. */
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
  return unit === "requests" ? (amounts.requests ?? 1) : amounts[unit];
}
