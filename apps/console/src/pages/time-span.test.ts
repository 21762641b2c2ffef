import { expect, test } from "vitest";
import { startOf, stepLabel, stepsOf } from "./time-span.js";

const now = Date.UTC(2026, 10, 16, 14, 25, 30);

test("24 hours begin at a full hour and have 24 steps", () => {
  const steps = stepsOf("24h", now);

  expect(steps).toHaveLength(24);
  expect(stepLabel("24h", steps[0] ?? 0)).toBe("15:00");
  expect(stepLabel("24h", steps.at(-1) ?? 0)).toBe("14:00");
});

test("30 days begin at a full day of UTC and have 30 steps", () => {
  const steps = stepsOf("30d", now);

  expect(steps).toHaveLength(30);
  expect(steps[0]).toBe(startOf("30d", now));
  expect(stepLabel("30d", steps[0] ?? 0)).toBe("10-18");
  expect(stepLabel("30d", steps.at(-1) ?? 0)).toBe("11-16");
});
