import { expect, test } from "vitest";
import {
  boundsOf,
  describeRange,
  rangeQuery,
  rangeStepLabel,
  rangeSteps,
  readRange,
  thisMonth,
} from "./time-range.js";

const now = Date.UTC(2026, 10, 17, 14, 25, 30);
const read = (address: string, at = now) => readRange(new URLSearchParams(address), at);
const iso = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(seconds * 1000).toISOString();

test.each([
  ["time=month", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z", "day", "November 2026"],
  ["time=last-month", "2026-10-01T00:00:00.000Z", "2026-11-01T00:00:00.000Z", "day", "October 2026"],
  ["time=7d", "2026-11-11T00:00:00.000Z", undefined, "day", "Last 7 days"],
  [
    "time=custom&from=2026-02-27&to=2026-03-01",
    "2026-02-27T00:00:00.000Z",
    "2026-03-02T00:00:00.000Z",
    "day",
    "2026-02-27 to 2026-03-01",
  ],
  // The order of the two days does not matter.
  [
    "time=custom&from=2026-03-01&to=2026-03-01",
    "2026-03-01T00:00:00.000Z",
    "2026-03-02T00:00:00.000Z",
    "hour",
    "2026-03-01 to 2026-03-01",
  ],
  [
    "time=custom&from=2026-03-01&to=2025-01-15",
    "2025-01-15T00:00:00.000Z",
    "2026-03-02T00:00:00.000Z",
    "month",
    "2025-01-15 to 2026-03-01",
  ],
  [
    "time=custom&from=soon",
    "2026-11-01T00:00:00.000Z",
    "2026-11-18T00:00:00.000Z",
    "day",
    "2026-11-01 to 2026-11-17",
  ],
])("%s is from %s to %s", (address, from, to, step, words) => {
  const range = read(address);

  expect(range && [iso(range.from), iso(range.to), range.step, describeRange(range)]).toEqual([
    from,
    to,
    step,
    words,
  ]);
});

test("a name that is not a range is none", () => {
  expect([read(""), read("time=ever")]).toEqual([undefined, undefined]);
});

test("the month before January is December of the year before", () => {
  const range = read("time=last-month", Date.UTC(2027, 0, 31, 23, 59));

  expect([iso(range?.from), iso(range?.to)]).toEqual([
    "2026-12-01T00:00:00.000Z",
    "2027-01-01T00:00:00.000Z",
  ]);
});

test.each([
  ["time=month", 17, "11-01", "11-17"],
  ["time=last-month", 31, "10-01", "10-31"],
  ["time=custom&from=2026-11-17&to=2026-11-17", 15, "00:00", "14:00"],
  // A month that begins in the middle is followed by whole ones.
  ["time=custom&from=2026-01-15&to=2026-06-02", 6, "2026-01", "2026-06"],
])("%s has %d steps up to now, from %s to %s", (address, count, first, last) => {
  const range = read(address);
  const labels = range ? rangeSteps(range, now).map((start) => rangeStepLabel(range, start)) : [];

  expect([labels.length, labels[0], labels.at(-1)]).toEqual([count, first, last]);
});

test("a range has the same bounds on another page", () => {
  for (const address of ["time=month", "time=24h", "time=custom&from=2026-02-27&to=2026-03-01"]) {
    const range = read(address);
    const again = range && readRange(new URLSearchParams(rangeQuery(range)), now);
    expect(again && boundsOf(again)).toEqual(range && boundsOf(range));
  }
});

test("the days of this month go up to today", () => {
  const days = (now: number) => rangeSteps(thisMonth(now), now);

  expect(days(Date.UTC(2026, 10, 3, 0, 30))).toEqual([1, 2, 3].map((day) => Date.UTC(2026, 10, day) / 1000));
});
