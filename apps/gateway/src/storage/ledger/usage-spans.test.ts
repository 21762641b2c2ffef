import { expect, test } from "vitest";
import { dayMs, hourMs, usageSpans } from "./usage-spans.js";

const [first, last] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
const day = 20_000 * dayMs;

const cases = [
  { time: {}, finest: "day", rows: [], hours: [], days: [[first, last]] },
  { time: {}, finest: "hour", rows: [], hours: [[first, last]], days: [] },
  { time: { from: day, to: day + dayMs }, finest: "day", rows: [], hours: [], days: [[day, day + dayMs]] },
  {
    time: { from: day, to: day + dayMs - 1 },
    finest: "day",
    rows: [[day + 23 * hourMs, day + dayMs - 1]],
    hours: [[day, day + 23 * hourMs]],
    days: [],
  },
  {
    time: { from: day + 1 },
    finest: "day",
    rows: [[day + 1, day + hourMs]],
    hours: [[day + hourMs, day + dayMs]],
    days: [[day + dayMs, last]],
  },
  { time: { to: day + hourMs }, finest: "day", rows: [], hours: [[day, day + hourMs]], days: [[first, day]] },
  { time: { from: day + 1, to: day + 2 }, finest: "hour", rows: [[day + 1, day + 2]], hours: [], days: [] },
  { time: { from: day, to: day }, finest: "hour", rows: [], hours: [], days: [] },
] as const;
test.each(cases)("$time by $finest reads as few rows as possible", ({ time, finest, ...expected }) => {
  const spans = usageSpans(time, finest);

  const pairs = (list: readonly { from: number; to: number }[]) => list.map(({ from, to }) => [from, to]);
  expect({ rows: pairs(spans.rows), hours: pairs(spans.hours), days: pairs(spans.days) }).toEqual(expected);
});
