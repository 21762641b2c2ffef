import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import type { Fault } from "../fake-upstream/script.js";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";

/** Long enough for the good upstream on a busy machine. */
const stallMs = 3000;
let good: FakeUpstream;
let bad: FakeUpstream;
let gateway: InProcessGateway;

beforeEach(async () => {
  [good, bad] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  gateway = await startGateway(`
upstreams:
  good: { provider: openai-compatible, baseUrl: "${good.baseUrl}" }
  bad: { provider: openai-compatible, baseUrl: "${bad.baseUrl}" }
  hasty-good: { provider: openai-compatible, baseUrl: "${good.baseUrl}", timeoutMs: ${stallMs} }
  hasty-bad: { provider: openai-compatible, baseUrl: "${bad.baseUrl}", timeoutMs: ${stallMs} }
models:
  patient:
    type: embedding
    dimensions: 8
    strategy: ordered
    targets: [{ upstream: bad, model: m }, { upstream: good, model: m }]
  hasty:
    type: embedding
    dimensions: 8
    strategy: ordered
    targets: [{ upstream: hasty-bad, model: m }, { upstream: hasty-good, model: m }]
  image:
    type: image
    strategy: ordered
    targets: [{ upstream: hasty-bad, model: m }, { upstream: hasty-good, model: m }]`);
});
afterEach(async () => {
  await gateway.stop();
  await Promise.all([good.close(), bad.close()]);
});

test("with one of two targets stalled every request succeeds, and the stalled one is left alone", async () => {
  bad.follow(always({ kind: "stall" }));

  const first = await embedAtOnce("hasty", 20);
  const { requests: stalled } = bad.seen();
  const second = await embedAtOnce("hasty", 20);

  expect([first, second]).toEqual([{ 200: 20 }, { 200: 20 }]);
  expect(stalled).toBe(20);
  // One call may pass as a probe.
  expect(bad.seen().requests).toBeLessThanOrEqual(stalled + 1);
});

test("a first burst of 200 requests succeeds with one of two targets always failing", async () => {
  const fault = { kind: "reply", status: 500 } as const;
  bad.follow({ always: { isHeld: true, faults: [fault] } });

  const burst = embedAtOnce("patient", 200);
  // All of them fail in the same moment.
  await expect.poll(() => bad.seen().inFlight).toBe(200);
  bad.follow(always(fault));

  expect(await burst).toEqual({ 200: 200 });
  expect(good.seen().requests).toBe(200);
});

test("an image whose target stalled may have been billed, so no other target is called", async () => {
  bad.follow(always({ kind: "stall" }));

  const response = await gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a fox" });

  expect([response.status, response.headers.get("x-should-retry")]).toEqual([504, "false"]);
  expect([bad.seen().requests, good.seen().requests]).toEqual([1, 0]);
});

const always = (fault: Fault) => ({ always: { faults: [fault] } });

/** Sends requests at the same time. Returns how many had each status. */
async function embedAtOnce(model: string, count: number): Promise<Record<number, number>> {
  const statuses = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const response = await gateway.sendJson("/v1/embeddings", {
        model,
        input: `text ${index}`,
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
