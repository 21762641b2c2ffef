import { chosenZone, writeTime } from "./time-zone.js";

/** Number formats of the console. */

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

export function formatCount(value: number): string {
  return whole.format(value);
}

/** Two decimals for amounts from a dollar on, and three digits for smaller ones, so that they can be compared. */
export function formatUsd(usd: number): string {
  if (usd === 0) return "$0";
  if (usd < 1e-9) return "< $0.000000001";
  const digits = usd >= 1 ? 2 : Math.min(9, 2 - Math.floor(Math.log10(usd)));
  return `$${usd.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: digits })}`;
}

export function formatMs(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 10_000) return `${whole.format(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A share that is not whole is below 100 %, whatever it rounds to. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent >= 99.5 && percent < 100) return `${(Math.floor(percent * 10) / 10).toFixed(1)} %`;
  return `${percent.toFixed(percent > 0 && percent < 10 ? 1 : 0)} %`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** "4 min ago". `seconds` are Unix seconds. */
export function formatAgo(seconds: number, nowMs: number): string {
  const ago = Math.round(nowMs / 1000 - seconds);
  if (ago < 0) return `in ${formatSpan(-ago)}`;
  return ago < 5 ? "now" : `${formatSpan(ago)} ago`;
}

/** "23 h": the time from now until then. Nothing is left once it has passed. */
export function formatTimeLeft(seconds: number, nowMs: number): string {
  return formatSpan(Math.max(0, seconds - nowMs / 1000));
}

export function formatSpan(seconds: number): string {
  if (seconds < 1) return "under 1 s";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return plural(Math.round(seconds / 86_400), "day");
}

/** A clock time in the zone that was chosen, with the zone. */
export function formatTime(seconds: number): string {
  return writeTime(seconds, chosenZone());
}

/** The names as a part of a sentence. */
export function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
