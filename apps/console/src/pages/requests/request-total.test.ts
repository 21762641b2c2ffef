import { expect, test } from "vitest";
import { usageQuestion } from "./request-total.js";

test("the sums are asked with the filters that they know", () => {
  const summed = { from: 60, owner: "search", key: "key_1", model: "m", upstream: "u" };

  expect(usageQuestion({ ...summed, failed: true, limit: 50 })).toEqual(summed);
});

test.each([
  { has_model: false },
  { error_code: "e" },
  { cache: "hit" as const },
  { min_duration_ms: 100 },
  { job: "job_1" },
])("no sum counts requests by %o", (filter) => {
  expect(usageQuestion({ ...filter, limit: 50 })).toBeUndefined();
});
