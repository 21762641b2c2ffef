import { expect, test } from "vitest";
import { usageQuestion } from "./request-total.js";

test("the sums are asked with the filters that they know", () => {
  expect(
    usageQuestion({ from: 60, key: "key_1", model: "m", upstream: "u", failed: true, limit: 50 }),
  ).toEqual({
    from: 60,
    key: "key_1",
    model: "m",
    upstream: "u",
  });
});

test.each([{ error_code: "e" }, { cache: "hit" as const }, { min_duration_ms: 100 }])(
  "no sum counts requests by %o",
  (filter) => {
    expect(usageQuestion({ ...filter, limit: 50 })).toBeUndefined();
  },
);
