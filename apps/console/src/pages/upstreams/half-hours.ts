import type { Schemas } from "../../operations/schemas.js";
import { formatCount, formatSpan, plural } from "../../parts/format.js";

/** `unknown`: before the gateway began to count. */
export type HalfHourState = "unknown" | "idle" | "good" | "failures" | "down";

export interface StripHalfHour {
  /** Unix seconds. */
  readonly start: number;
  readonly state: HalfHourState;
  readonly ok: number;
  readonly failed: number;
  readonly downSeconds: number;
}

const halfHour = 1800;
const halfHours = 48;

/** The last 24 hours of a target in 48 half hours, the last of which is not over. */
export function stripOf(history: Schemas["TargetHistory"] | undefined, nowMs: number): StripHalfHour[] {
  const now = nowMs / 1000;
  const last = Math.floor(now / halfHour) * halfHour;
  const counted = new Map(history?.half_hours.map((one) => [one.start, one]));
  return Array.from({ length: halfHours }, (_, at) => {
    const start = last - (halfHours - 1 - at) * halfHour;
    const { ok = 0, failed = 0, down_seconds: downSeconds = 0 } = counted.get(start) ?? {};
    const seconds = Math.min(halfHour, now - start);
    const isUnknown = history === undefined || start + halfHour <= history.since;
    const state = isUnknown ? "unknown" : judge({ ok, failed, downSeconds, seconds });
    return { start, state, ok, failed, downSeconds };
  });
}

interface Counts extends Pick<StripHalfHour, "ok" | "failed" | "downSeconds"> {
  /** How much of the half hour is over. */
  readonly seconds: number;
}

/** Down: for at least half of the time, or every call has failed. */
function judge({ ok, failed, downSeconds, seconds }: Counts): HalfHourState {
  if ((downSeconds > 0 && downSeconds >= seconds / 2) || (failed > 0 && ok === 0)) return "down";
  if (failed > 0 || downSeconds > 0) return "failures";
  return ok > 0 ? "good" : "idle";
}

/** "9 of 1,204 calls failed, down 25 min". */
export function summarize(strip: readonly StripHalfHour[]): string {
  const sum = (read: (one: StripHalfHour) => number) => strip.reduce((total, one) => total + read(one), 0);
  const [failed, down] = [sum((one) => one.failed), sum((one) => one.downSeconds)];
  const calls = plural(failed + sum((one) => one.ok), "call");
  return [
    failed === 0 ? calls : `${formatCount(failed)} of ${calls} failed`,
    ...(down === 0 ? [] : [`down ${formatSpan(down)}`]),
  ].join(", ");
}

export const stateWords: Readonly<Record<HalfHourState, string>> = {
  unknown: "not counted",
  idle: "no traffic",
  good: "good",
  failures: "some failures",
  down: "down",
};

/** The strip in words: equal half hours in a row are one entry. The idle ones at the begin and the end are left out. */
export function describeStrip(
  strip: readonly StripHalfHour[],
  formatClock: (seconds: number) => string,
): string {
  const runs: { state: HalfHourState; from: number; to: number }[] = [];
  for (const { state, start } of strip) {
    const run = runs.at(-1);
    if (run?.state === state) run.to = start + halfHour;
    else runs.push({ state, from: start, to: start + halfHour });
  }
  const told = runs.filter(({ state }) => state !== "idle" && state !== "unknown");
  if (told.length === 0) return "no traffic";
  return told
    .map(({ state, from, to }) => `${stateWords[state]} ${formatClock(from)} to ${formatClock(to)}`)
    .join(", ");
}

/** One half hour in words. */
export function describeHalfHour(
  { start, state, ok, failed, downSeconds }: StripHalfHour,
  formatClock: (seconds: number) => string,
): string {
  const counts = [
    ok > 0 && `${plural(ok, "call")} ok`,
    failed > 0 && `${plural(failed, "call")} failed`,
    downSeconds > 0 && `down ${formatSpan(downSeconds)}`,
  ].filter((part) => part !== false);
  const words = counts.length > 0 ? counts.join(", ") : stateWords[state];
  return `${formatClock(start)} to ${formatClock(start + halfHour)}: ${words}`;
}
