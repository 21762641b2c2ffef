import { expect, test } from "vitest";
import { RetryQuota, RetryQuotas, retryQuotaMax } from "./retry-quota.js";

/** Takes as many retries as there are. */
function drain(quota: RetryQuota): number {
  let taken = 0;
  while (quota.tryTake()) taken += 1;
  return taken;
}

test("in an outage there are no retries once the quota is used up", () => {
  const quota = new RetryQuota();

  expect([drain(quota), drain(quota)]).toEqual([retryQuotaMax, 0]);
});

test("a retry that succeeds costs nothing, one that fails costs one", () => {
  const quota = new RetryQuota();

  for (let request = 0; request < 10_000; request += 1) if (quota.tryTake()) quota.giveBack();
  for (let request = 0; request < 100; request += 1) quota.tryTake();

  expect(drain(quota)).toBe(retryQuotaMax - 100);
});

test("after an outage every five successes allow one more retry, up to the maximum", () => {
  const quota = new RetryQuota();
  drain(quota);
  const succeed = (requests: number) => {
    for (let request = 0; request < requests; request += 1) quota.refill();
  };

  succeed(4);
  expect(drain(quota)).toBe(0);
  succeed(105);
  expect(drain(quota)).toBe(21);
  succeed(100_000);
  expect(drain(quota)).toBe(retryQuotaMax);
});

test("an outage of one model leaves the retries of another", () => {
  const quotas = new RetryQuotas();
  drain(quotas.of({ id: "down" }));

  expect([drain(quotas.of({ id: "down" })), drain(quotas.of({ id: "up" }))]).toEqual([0, retryQuotaMax]);
});
