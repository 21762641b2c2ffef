/** The amounts that work has used, for any kind of model. */
export interface UsedAmounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly images: number;
  /** In billionths of a US dollar; null if the cost is unknown. */
  readonly costNanos: number | null;
}

export const nothingUsed: UsedAmounts = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
});

/** One dollar per million tokens is 1000 billionths of a dollar per token. */
export const nanosPerToken = 1000;
export const nanosPerUsd = 1_000_000_000;

/** The sum of two costs. One that is unknown makes the sum unknown. */
export function sumCosts(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
