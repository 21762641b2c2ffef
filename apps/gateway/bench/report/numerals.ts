/** A figure with as many digits as it deserves: a benchmark that repeats to a few per cent has two or three. */
export function numeral(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  if (value >= 1000) return Math.round(value).toLocaleString("en-US");
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "–" : String(Math.round(bytes / 2 ** 20));
}
