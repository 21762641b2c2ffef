const hour = 3600;

/** The time ranges that pages offer. */
export const spans = {
  "24h": { label: "Last 24 hours", seconds: 24 * hour, step: "hour" },
  "7d": { label: "Last 7 days", seconds: 7 * 24 * hour, step: "day" },
  "30d": { label: "Last 30 days", seconds: 30 * 24 * hour, step: "day" },
  "90d": { label: "Last 90 days", seconds: 90 * 24 * hour, step: "day" },
} as const;

export type SpanName = keyof typeof spans;

export const spanOptions = (Object.keys(spans) as SpanName[]).map((value) => ({
  value,
  label: spans[value].label,
}));

export function isSpan(name: string | null): name is SpanName {
  return name !== null && name in spans;
}

/**
 * When a range begins, in Unix seconds. Full hours and days: the sums are kept by them, and the question stays the same
 * from one minute to the next.
 */
export function startOf(name: SpanName, nowMs: number): number {
  const { seconds, step } = spans[name];
  const unit = step === "hour" ? hour : 24 * hour;
  return Math.floor(nowMs / 1000 / unit) * unit - seconds + unit;
}
