import { expect, test } from "vitest";
import { RetryQuota } from "./retry-quota.js";

test("in an outage retries add a fifth to the load, and no more", () => {
  const quota = new RetryQuota();
  let retries = 0;

  for (let request = 0; request < 10_000; request += 1) {
    quota.onRequest();
    if (quota.trySpend()) retries += 1;
    if (quota.trySpend()) retries += 1;
  }

  // The reserve comes on top, once.
  expect(retries).toBeLessThanOrEqual(2010);
  expect(retries).toBeGreaterThanOrEqual(2000);
});
