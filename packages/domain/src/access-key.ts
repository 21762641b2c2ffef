/** An API key without its secret, which is never held. */
export interface AccessKey {
  /** `key_` and 24 hexadecimal digits, or `config:` and the name for a configured key. */
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  /** The ids of the models it may call, in which `*` matches any characters. Absent: all models. */
  readonly models?: readonly string[];
  readonly limits: UsageLimits;
  readonly budget?: Budget;
  /** Absent: `interactive`. */
  readonly priority?: Priority;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly isDisabled: boolean;
}

/** The urgency of a key's requests. While capacity is short, `interactive` ones go before `bulk` ones. */
export type Priority = "interactive" | "bulk";

/** Rate limits. An absent one means no limit. Days are in UTC. */
export interface UsageLimits {
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  /** Input tokens. */
  readonly tokensPerMinute?: number;
  readonly tokensPerDay?: number;
  /** Output images. */
  readonly imagesPerMinute?: number;
  readonly imagesPerDay?: number;
  /** Requests in flight at once. */
  readonly maxConcurrency?: number;
}

/** The most that may be spent in a day or a month, in UTC. */
export interface Budget {
  readonly usd: number;
  readonly per: "day" | "month";
}
