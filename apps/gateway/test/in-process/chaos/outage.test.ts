import type { Schemas } from "@model-gateway/domain/operations";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { InProcessFolder, type InProcessGateway } from "../../gateway/in-process.js";
import { testAdminKey, testConfig, testEnvironment } from "../../gateway/test-gateway.js";

const minuteMs = 60_000;
/** The half hour begins now, so that the times of the script are those of the counts. */
const clock = new ManualClock();
clock.advance(30 * minuteMs - (clock.now() % (30 * minuteMs)));
const start = clock.now() / 1000;

let main: FakeUpstream;
let spare: FakeUpstream;
let home: InProcessFolder;
let gateway: InProcessGateway;

beforeAll(async () => {
  [main, spare] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
  home = new InProcessFolder(
    `${testConfig}
upstreams:
  main: { provider: openai-compatible, baseUrl: "${main.baseUrl}" }
  spare: { provider: openai-compatible, baseUrl: "${spare.baseUrl}" }
models:
  both:
    type: embedding
    dimensions: 8
    targets: [{ upstream: main, model: m, space: s }, { upstream: spare, model: m, space: s, tier: 2 }]
  alone: { type: embedding, dimensions: 8, targets: [{ upstream: main, model: m, space: s }] }
`,
    testEnvironment,
  );
  gateway = await home.start({ wallClock: clock });
});
afterAll(async () => {
  await home.remove();
  await Promise.all([main.close(), spare.close()]);
});

test("states and counts agree with the truth of an outage, before, during and after it, and over a restart", async () => {
  // The truth is what the upstreams have received and replied, without the gateway's checks of their vectors.
  const truthOf = (upstream: FakeUpstream) => {
    const calls = upstream.received.filter(({ body }) => (body.input as unknown[]).length === 1);
    const ok = calls.filter(({ status }) => status === 200).length;
    return { ok, failed: calls.length - ok };
  };

  for (let call = 0; call < 8; call += 1) expect(await embed("both")).toBe(200);
  const before = truthOf(main);
  expect(await states()).toEqual({ main: "healthy", spare: "unknown" });

  // The outage begins 40 minutes after the first call, and lasts 25 minutes.
  clock.advance(40 * minuteMs);
  await main.follow({ always: { faults: [{ kind: "reply", status: 503 }] } });
  for (let call = 0; call < 8; call += 1) expect(await embed("both")).toBe(200);
  expect(await embed("alone")).toBe(503);
  expect(await states()).toEqual({ main: "open", spare: "healthy" });
  expect(await healthOf("both")).toMatchObject({ status: "degraded", served_by: [{ upstream: "spare" }] });
  expect(await healthOf("alone")).toMatchObject({ status: "failing", served_by: [] });
  clock.advance(25 * minuteMs);

  await main.follow({});
  expect(await probe("alone")).toMatchObject({ ok: true, state: "healthy" });
  expect(await healthOf("both")).toMatchObject({ status: "ready", served_by: [{ upstream: "main" }] });
  const after = truthOf(main);

  const ofMain = [
    { start, ...before, down_seconds: 0 },
    { start: start + 1800, ok: 0, failed: after.failed - before.failed, down_seconds: 20 * 60 },
    { start: start + 3600, ok: after.ok - before.ok, failed: 0, down_seconds: 5 * 60 },
  ];
  const ofSpare = [{ start: start + 1800, ...truthOf(spare), down_seconds: 0 }];
  expect(await histories()).toEqual({ main: ofMain, spare: ofSpare });
  expect(before).toEqual({ ok: 8, failed: 0 });

  await gateway.stop();
  gateway = await home.start({ wallClock: clock });
  expect(await histories()).toEqual({ main: ofMain, spare: ofSpare });
});

let texts = 0;

async function embed(model: string): Promise<number> {
  texts += 1;
  const response = await gateway.sendJson("/v1/embeddings", { model, input: `text ${texts}` });
  await response.arrayBuffer();
  return response.status;
}

const headers = { authorization: `Bearer ${testAdminKey}` };

async function probe(model: string): Promise<unknown> {
  const response = await gateway.sendJson("/admin/v1/probes", { model, upstream: "main" }, { headers });
  return response.json();
}

async function upstreams(): Promise<Schemas["Upstream"][]> {
  const response = await gateway.send("/admin/v1/upstreams", { headers });
  return ((await response.json()) as Schemas["UpstreamList"]).data;
}

async function states(): Promise<unknown> {
  return Object.fromEntries((await upstreams()).map(({ name, targets }) => [name, targets[0]?.state]));
}

async function histories(): Promise<unknown> {
  return Object.fromEntries((await upstreams()).map(({ name, history }) => [name, history[0]?.half_hours]));
}

async function healthOf(id: string): Promise<unknown> {
  const response = await gateway.send("/admin/v1/models", { headers });
  const { data } = (await response.json()) as Schemas["AdminModelList"];
  const found = data.find((model) => model.id === id);
  return { status: found?.status, ...found?.health };
}
