/**
 * How many milliseconds the headers ask to wait; undefined when they do not say. The gateway sends `retry-after-ms`
 * beside seconds; a proxy may send a date (RFC 9110, section 10.2.3).
 */
export function readRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const exactMs = readNumber(headers.get("retry-after-ms"));
  if (exactMs !== undefined) return exactMs;
  const written = headers.get("retry-after");
  const seconds = readNumber(written);
  if (seconds !== undefined) return seconds * 1000;
  const dateMs = Date.parse(written ?? "");
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
