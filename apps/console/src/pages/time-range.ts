import { isSpan, type SpanName, spanOptions, spans, startOf } from "./time-span.js";

const daySeconds = 86_400;
/** More steps than this have no room as bars. */
const daysMax = 100;

/** A time range of the address. Its days and months are in UTC, as those of budgets are. */
export interface TimeRange {
  readonly name: RangeName;
  /** Unix seconds, inclusive. */
  readonly from: number;
  /** Unix seconds, exclusive. Without it, up to now. */
  readonly to?: number;
  readonly step: "hour" | "day" | "month";
}

export type RangeName = SpanName | "month" | "last-month" | "custom";

export const rangeOptions: readonly { readonly value: RangeName; readonly label: string }[] = [
  { value: "month", label: "This month" },
  { value: "last-month", label: "Last month" },
  ...spanOptions,
  { value: "custom", label: "Custom" },
];

/** Reads `time`, and the dates `from` and `to` of a custom range. Both days are part of it. */
export function readRange(query: URLSearchParams, nowMs: number): TimeRange | undefined {
  const name = query.get("time");
  if (isSpan(name)) return spanRange(name, nowMs);
  const month = thisMonth(nowMs);
  switch (name) {
    case "month":
      return month;
    case "last-month":
      return { name, from: startOfMonth(nowMs, -1), to: month.from, step: "day" };
    case "custom": {
      const today = Math.floor(nowMs / 1000 / daySeconds) * daySeconds;
      const ends = [readDate(query.get("from")) ?? month.from, readDate(query.get("to")) ?? today];
      const [from, to] = [Math.min(...ends), Math.max(...ends) + daySeconds];
      return { name, from, to, step: stepFor((to - from) / daySeconds) };
    }
    default:
      return undefined;
  }
}

/** The month in UTC, as budgets and `spent_usd` count. */
export function thisMonth(nowMs: number): TimeRange {
  return { name: "month", from: startOfMonth(nowMs, 0), to: startOfMonth(nowMs, 1), step: "day" };
}

/** A range that moves with the clock. */
export function spanRange(name: SpanName, nowMs: number): TimeRange {
  return { name, from: startOf(name, nowMs), step: spans[name].step };
}

/** The bounds of a range, as the operations have them. */
export function boundsOf({ from, to }: TimeRange): { from: number; to?: number } {
  return { from, ...(to !== undefined && { to }) };
}

/** The parameters of a range in the address of another page. */
export function rangeQuery(range: TimeRange): Record<string, string> {
  if (range.name !== "custom") return { time: range.name };
  const last = (range.to ?? range.from) - daySeconds;
  return { time: "custom", from: formatDate(range.from), to: formatDate(last) };
}

/** The start of each step in a range, up to now. */
export function rangeSteps({ from, to, step }: TimeRange, nowMs: number): number[] {
  const end = Math.min(to ?? Number.POSITIVE_INFINITY, nowMs / 1000);
  const starts: number[] = [];
  const first = step === "month" ? startOfMonth(from * 1000, 0) : from;
  for (let start = first; start < end; start = nextStep(start, step)) starts.push(start);
  return starts;
}

/** The label below a step's bar. */
export function rangeStepLabel({ step }: TimeRange, seconds: number): string {
  const text = new Date(seconds * 1000).toISOString();
  return step === "hour" ? text.slice(11, 16) : step === "day" ? text.slice(5, 10) : text.slice(0, 7);
}

/** The range in words: "November 2026", "2026-11-01 to 2026-11-15" or "Last 7 days". */
export function describeRange(range: TimeRange): string {
  const { name, from, to = from + daySeconds } = range;
  if (isSpan(name)) return spans[name].label;
  if (name === "custom") return `${formatDate(from)} to ${formatDate(to - daySeconds)}`;
  return new Date(from * 1000).toLocaleDateString("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** `2026-11-15`, as a date field has it. */
export function formatDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

function readDate(text: string | null): number | undefined {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || ms < 0 ? undefined : ms / 1000;
}

function startOfMonth(nowMs: number, monthsLater: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater) / 1000;
}

function stepFor(days: number): TimeRange["step"] {
  return days <= 1 ? "hour" : days <= daysMax ? "day" : "month";
}

function nextStep(start: number, step: TimeRange["step"]): number {
  if (step === "hour") return start + 3600;
  return step === "day" ? start + daySeconds : startOfMonth(start * 1000, 1);
}
