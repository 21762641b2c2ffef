import { expect, test } from "vitest";
import { writeClock, writeTime, writeUtcMinute, zoneName } from "./time-zone.js";

const seconds = Date.UTC(2026, 10, 17, 14, 2, 11) / 1000;

test("a time carries its zone", () => {
  expect(writeTime(seconds, "UTC")).toBe("2026-11-17 14:02:11 UTC");
  expect(writeTime(seconds, "Asia/Kolkata")).toBe("2026-11-17 19:32:11 GMT+5:30");
});

test("a minute beside a chart is that of the chart, and says so", () => {
  expect(writeUtcMinute(seconds)).toBe("14:02 UTC");
});

test("the offset is that of the day, in summer and in winter", () => {
  expect(zoneName(seconds, "Europe/Berlin")).toBe("GMT+1");
  expect(zoneName(Date.UTC(2026, 6, 1) / 1000, "Europe/Berlin")).toBe("GMT+2");
  expect(zoneName(seconds, "Europe/London")).toBe("UTC");
});

test("a time of another day has the day before it", () => {
  const nowMs = (seconds + 3600) * 1000;

  expect(writeClock(seconds, nowMs, "UTC")).toBe("14:02:11");
  expect(writeClock(seconds - 86_400, nowMs, "UTC")).toBe("2026-11-16 14:02:11");
  // In India another day has begun.
  expect(writeClock(seconds, (seconds + 5 * 3600) * 1000, "Asia/Kolkata")).toBe("2026-11-17 19:32:11");
});
