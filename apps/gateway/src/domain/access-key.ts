/** Who may call: what is known of a key, never the key itself. */
export interface AccessKey {
  /** `key_` and 24 hexadecimal digits; `config:` and the name for a key of the configuration file. */
  readonly id: string;
  readonly name: string;
  readonly owner?: string;
  /** Patterns of the model ids it may call, where `*` stands for any letters. Absent: all models. */
  readonly models?: readonly string[];
  readonly limits: UsageLimits;
  readonly budget?: Budget;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly isDisabled: boolean;
}

/** How much may be used, in the unit that each thing is measured in. What is absent has no limit. */
export interface UsageLimits {
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  /** Tokens that go in. */
  readonly tokensPerMinute?: number;
  readonly tokensPerDay?: number;
  /** Images that come out. */
  readonly imagesPerMinute?: number;
  readonly imagesPerDay?: number;
  /** Requests that are under way at once. */
  readonly maxConcurrency?: number;
}

/** How much money may be spent in a day or a month of UTC. */
export interface Budget {
  readonly usd: number;
  readonly per: "day" | "month";
}
