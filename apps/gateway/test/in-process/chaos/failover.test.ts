import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import type { Fault } from "../../fake-upstream/script.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";

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

test("with one of two targets stalled every request succeeds, and the stalled one is paused", async () => {
  bad.follow(always({ kind: "stall" }));

  const first = await embedAtOnce("hasty", 20);
  const { requests: stalled } = bad.seen();
  const second = await embedAtOnce("hasty", 20);

  expect([first, second]).toEqual([{ 200: 20 }, { 200: 20 }]);
  expect(stalled).toBe(20);
  // One call may pass as a probe.
  expect(bad.seen().requests).toBeLessThanOrEqual(stalled + 1);
  expect(stateChanges().slice(0, 2)).toMatchObject([
    { level: "warn", upstream: "hasty-bad", model: "m", previous: "healthy", state: "failing" },
    { level: "warn", state: "open", errorCode: "upstream_timeout", pauseMs: expect.any(Number) },
  ]);
});

test("a first burst of 200 requests succeeds with one of two targets always failing", async () => {
  expect(await burstAgainst(serverError, 200)).toEqual({ 200: 200 });
  expect(good.seen().requests).toBe(200);
});

test("each change of a target's state is one line in the log, until it is healthy again", async () => {
  await burstAgainst(serverError, 10);
  bad.follow({});

  const states = () => stateChanges().map(({ state }) => state);
  const next = async () => {
    await embedAtOnce("patient", 1);
    return states();
  };

  await expect.poll(next).toContain("healthy");
  expect(states()).toEqual(["failing", "open", "half-open", "healthy"]);
  expect(stateChanges().at(-1)).toEqual({
    level: "info",
    time: expect.any(String),
    upstream: "bad",
    model: "m",
    state: "healthy",
    previous: "half-open",
    pauseMs: 0,
    unhealthyMs: expect.any(Number),
    msg: "A target is healthy again.",
  });
});

test("a target that has only failed is not shown as healthy", async () => {
  bad.follow(always(serverError));

  expect(await embedAtOnce("patient", 1)).toEqual({ 200: 1 });
  expect(await stateOf("bad")).toMatchObject({
    state: "failing",
    last_error: {
      at: expect.any(Number),
      code: "upstream_error",
      status: 500,
      message: "The upstream failed with status 500. The upstream says: Scripted failure 500.",
    },
  });
});

test.each([
  [400, "moderation_blocked"],
  [403, "content_filter"],
  [451, "content_filter"],
  [413, null],
  [422, null],
])("a refusal with status %d and code %s does not count against the target", async (status, code) => {
  const body = { error: { message: "No.", type: "test", param: null, code } };
  bad.follow(always({ kind: "reply", status, body }));

  expect(await embedAtOnce("patient", 20)).toEqual({ 400: 20 });
  expect(await stateOf("bad")).toMatchObject({ state: "healthy", last_error: null });
  expect([bad.seen().requests, good.seen().requests, stateChanges()]).toEqual([20, 0, []]);
});

test("an image whose target stalled may have been billed, so no other target is called", async () => {
  bad.follow(always({ kind: "stall" }));

  const response = await gateway.sendJson("/v1/images/generations", { model: "image", prompt: "a fox" });

  expect([response.status, response.headers.get("x-should-retry")]).toEqual([504, "false"]);
  expect([bad.seen().requests, good.seen().requests]).toEqual([1, 0]);
});

const serverError = { kind: "reply", status: 500 } as const;
const always = (fault: Fault) => ({ always: { faults: [fault] } });

/** Sends requests that all fail at the bad upstream in the same moment. Returns how many had each status. */
async function burstAgainst(fault: Fault, count: number): Promise<Record<number, number>> {
  bad.follow({ always: { isHeld: true, faults: [fault] } });
  const burst = embedAtOnce("patient", count);
  await expect.poll(() => bad.seen().inFlight).toBe(count);
  bad.follow(always(fault));
  return burst;
}

/** The log lines about changes of a target's state. */
function stateChanges(): Record<string, unknown>[] {
  return gateway.logLines.map((line) => JSON.parse(line)).filter(({ state }) => state !== undefined);
}

async function stateOf(name: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${testAdminKey}` };
  const response = await gateway.send("/readyz?verbose", { headers });
  const { targets } = (await response.json()) as { targets: { upstream: string }[] };
  return targets.find(({ upstream }) => upstream === name);
}

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
