import { expect, test } from "vitest";
import { describeHalfHour, describeStrip, stripOf, summarize } from "./half-hours.js";

const start = Date.parse("2026-08-17T00:00:00Z") / 1000;
const now = (start + 24 * 3600 - 600) * 1000;
const formatClock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 16);
const counts = (place: number, ok: number, failed: number, down_seconds: number) => ({
  start: start + place * 1800,
  ok,
  failed,
  down_seconds,
});

/** Good until 01:00, an outage from 01:20 to 02:40, failures later, and down again since 20 minutes ago. */
const outage = {
  model: "m",
  since: start + 900,
  half_hours: [
    counts(0, 10, 0, 0),
    counts(1, 10, 0, 0),
    counts(2, 7, 5, 600),
    counts(3, 0, 30, 1800),
    counts(4, 0, 9, 1800),
    counts(5, 5, 9, 600),
    counts(20, 99, 1, 0),
    counts(47, 0, 0, 1200),
  ],
  failures: [],
};

test("each half hour has its state", () => {
  const strip = stripOf(outage, now);

  expect(strip.map(({ state }) => state[0]).join("")).toBe(`ggfddf${"i".repeat(14)}f${"i".repeat(26)}d`);
  expect(strip[47]).toEqual({ ...strip[47], start: start + 47 * 1800, downSeconds: 1200 });
});

test("half hours before the count began are not called idle", () => {
  const strip = stripOf({ ...outage, since: start + 3600 }, now);

  expect(strip.slice(0, 3).map(({ state }) => state)).toEqual(["unknown", "unknown", "failures"]);
  expect(new Set(stripOf(undefined, now).map(({ state }) => state))).toEqual(new Set(["unknown"]));
});

test("a short downtime, or a failure among successes, is not an outage", () => {
  const [short, single, all] = stripOf(
    { ...outage, since: 0, half_hours: [counts(0, 5, 0, 899), counts(1, 5, 4, 0), counts(2, 0, 1, 0)] },
    now,
  );

  expect([short?.state, single?.state, all?.state]).toEqual(["failures", "failures", "down"]);
});

test("the strip in words", () => {
  const strip = stripOf(outage, now);

  expect(describeStrip(strip, formatClock)).toBe(
    "good 00:00 to 01:00, some failures 01:00 to 01:30, down 01:30 to 02:30, some failures 02:30 to 03:00, some failures 10:00 to 10:30, down 23:30 to 00:00",
  );
  expect(describeHalfHour(strip[2]!, formatClock)).toBe(
    "01:00 to 01:30: 7 calls ok, 5 calls failed, down 10 min",
  );
  expect(describeHalfHour(strip[9]!, formatClock)).toBe("04:30 to 05:00: no traffic");
  expect(summarize(strip)).toBe("54 of 185 calls failed, down 2 h");
  expect([describeStrip([], formatClock), summarize([])]).toEqual(["no traffic", "0 calls"]);
});
