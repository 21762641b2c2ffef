import type { Result } from "@model-gateway/client";
import { expect, test } from "vitest";
import { retrieveCost } from "./retrieveRequest.js";

/** A gateway that records the request after some calls. */
function costAfter(calls: number) {
  const waited: number[] = [];
  const retrieve = async () =>
    (waited.length > calls ? { ok: true, data: { cost_usd: 0.04 } } : { ok: false }) as Result<{
      cost_usd: number;
    }>;
  const pause = async (ms: number) => {
    waited.push(ms);
  };
  const cost = retrieveCost({ retrieve, signal: new AbortController().signal, pause });
  return { cost, waited };
}

test("the cost is looked up until the request is recorded", async () => {
  const { cost, waited } = costAfter(1);

  expect([await cost, waited]).toEqual([0.04, [2000, 3000]]);
});

test("a cost that is never recorded is not known", async () => {
  const { cost, waited } = costAfter(9);

  expect([await cost, waited]).toEqual([null, [2000, 3000, 8000]]);
});
