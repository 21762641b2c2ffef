import { GatewayError } from "@model-gateway/domain/errors";
import { internalKeys } from "@model-gateway/domain/internal-keys";
import { expect, test } from "vitest";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";
import type { UsageMeterOptions } from "../usage/usage-meter.js";
import { callTarget, createOwnRunner, type RunOwn } from "./own-request.js";
import { CallerLeftError } from "./request-lifetime.js";

// Nothing of an internal key is limited.
const usage = { limits: {}, budgets: {} } as UsageMeterOptions;

/** Runs a call of a target, and returns its ledger row. */
async function rowOf(call: Parameters<RunOwn>[1]): Promise<LedgerRow | undefined> {
  const rows: LedgerRow[] = [];
  let now = 0;
  const runOwn = createOwnRunner({
    ledger: { record: (...recorded) => void rows.push(...recorded) },
    usage,
    requestIds: { next: () => "req_1" },
    clock: { now: () => (now += 5) },
    secrets: { hide: (text) => text.replaceAll("secret", "[hidden]") },
  });
  const { signal } = new AbortController();
  const request = { key: internalKeys.probe, operation: "createEmbedding", model: "words", signal } as const;
  await runOwn(request, (own) => callTarget(own, "fake", () => call(own))).catch(() => undefined);
  return rows[0];
}

test("a call that succeeds has a row with its usage, under the gateway's own key", async () => {
  const row = await rowOf(async ({ meter }) => {
    meter.add({ inputTokens: 3, outputTokens: 0, images: 0, costNanos: 60 });
  });

  expect(row).toMatchObject({
    id: "req_1",
    keyId: "gateway:probe",
    keyName: "probe",
    operation: "createEmbedding",
    model: "words",
    upstream: "fake",
    attempts: 1,
    status: 200,
    inputTokens: 3,
    costNanos: 60,
    ms: 5,
    errorCode: null,
    failure: null,
  });
});

test("a failure is recorded in the words for operators, and its cost is unknown unless nothing was made", async () => {
  const failing = (nothingBilled: boolean) =>
    rowOf(() =>
      Promise.reject(
        new GatewayError("upstream_error", "It failed.", { forOperators: "secret failed.", nothingBilled }),
      ),
    );

  const rows = [await failing(false), await failing(true)];

  const { status, failure } = rows[0] ?? {};
  expect([status, failure]).toEqual([
    502,
    { message: "[hidden] failed.", param: null, requestedModel: null, attempts: [] },
  ]);
  expect(rows.map((row) => row?.costNanos)).toEqual([null, 0]);
});

test("a probe whose operator has left has a row: it may have been billed", async () => {
  const row = await rowOf(() => Promise.reject(new CallerLeftError()));

  expect([row?.status, row?.errorCode, row?.costNanos]).toEqual([499, "caller_left", null]);
});
