import { expect, test } from "vitest";
import { backoffMs } from "./backoff.js";

test("it doubles up to its limit", () => {
  const pauses = [1, 2, 3, 4, 2000].map((failures) => backoffMs(failures, { firstMs: 100, maxMs: 500 }));

  expect(pauses).toEqual([100, 200, 400, 500, 500]);
});

test("with a random share, it is any pause up to that length", () => {
  expect([0, 0.5].map((share) => backoffMs(3, { firstMs: 100, random: () => share }))).toEqual([0, 200]);
});
