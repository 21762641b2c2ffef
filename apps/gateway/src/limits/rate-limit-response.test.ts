import { expect, test } from "vitest";
import { goDuration } from "./rate-limit-response.js";

test.each([
  [0, "0s"],
  [-5, "0s"],
  [0.2, "1ms"],
  [12, "12ms"],
  [999, "999ms"],
  [1000, "1s"],
  [1500, "1.5s"],
  [33_023, "33.023s"],
  [60_000, "1m0s"],
  [360_000, "6m0s"],
  [61_001, "1m1.001s"],
  [5_011_000, "1h23m31s"],
  [86_400_000, "24h0m0s"],
])("%d ms are %s", (ms, text) => {
  expect(goDuration(ms)).toBe(text);
});
