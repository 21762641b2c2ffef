import type { Clock } from "@model-gateway/runtime/clock";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { bodyOf, readAdmin } from "./model-gateway.js";

/** A clock whose waits end when the test says so. */
class SteppedClock implements Clock {
  #waits: { readonly ms: number; readonly end: () => void }[] = [];
  now = () => 1_787_150_086_000;
  wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      this.#waits.push({ ms, end: resolve });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  /** Ends the waits of this length, once there is one. */
  async step(ms: number): Promise<void> {
    await expect.poll(() => this.#waits.some((wait) => wait.ms === ms)).toBe(true);
    const due = this.#waits.filter((wait) => wait.ms === ms);
    this.#waits = this.#waits.filter((wait) => wait.ms !== ms);
    for (const { end } of due) end();
  }
}

const everyMs = 123_000;
let clock: SteppedClock;
let upstream: FakeUpstream;
let gateway: InProcessGateway | undefined;

beforeEach(async () => {
  clock = new SteppedClock();
  upstream = await startFakeUpstream();
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await upstream.close();
});

async function start(discover: string, models = "{}"): Promise<InProcessGateway> {
  gateway = await startGateway(
    `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", discover: ${discover}, discoverEveryMs: ${everyMs} }
models: ${models}
`,
    { wallClock: clock },
  );
  return gateway;
}

async function list(from: InProcessGateway): Promise<Record<string, unknown>[]> {
  return (await bodyOf(await from.send("/v1/models"))).data;
}

const idsOf = async (from: InProcessGateway) => (await list(from)).map(({ id }) => id);
const refused = { faults: [{ kind: "reply", status: 403 }] } as const;

test("models are offered with the width that a probe found, and others are left out", async () => {
  upstream.follow({ listed: ["embed", "chat"], models: { embed: { width: 5 }, chat: refused } });

  const running = await start("true");

  await expect
    .poll(() => list(running))
    .toMatchObject([{ id: "embed", discovered: true, owned_by: "fake", embedding: { dimensions: 5 } }]);
  const response = await running.sendJson("/v1/embeddings", { model: "embed", input: "a" });
  expect((await bodyOf(response)).data[0].embedding).toHaveLength(5);
  const { data } = await readAdmin(running, "/admin/v1/models");
  expect(data).toMatchObject([{ id: "embed", discovered: true }]);
});

test("a rule declares its models' type, and no probe is sent", async () => {
  upstream.follow({ listed: ["text-a", "paint-a", "other"] });

  const running = await start(
    "[{ include: text-*, type: embedding, dimensions: 8 }, { include: [paint-*], type: image }]",
  );

  const typesOf = async () => (await list(running)).map(({ id, type }) => [id, type]);
  await expect.poll(typesOf).toEqual([
    ["text-a", "embedding"],
    ["paint-a", "image"],
  ]);
  expect(upstream.received).toEqual([]);
});

test("the configured models win", async () => {
  upstream.follow({ listed: ["mine", "nick", "new"] });

  const running = await start(
    "{ include: '*', type: image }",
    "{ mine: { type: embedding, aliases: [nick], targets: [{ upstream: fake, model: x }] } }",
  );

  const typesOf = async () => (await list(running)).map(({ id, type }) => [id, type]);
  await expect.poll(typesOf).toEqual([
    ["mine", "embedding"],
    ["new", "image"],
  ]);
});

test("the list is read again, and only new models are probed", async () => {
  upstream.follow({ listed: ["a", "b"] });
  const running = await start("'*'");
  await expect.poll(() => idsOf(running)).toEqual(["a", "b"]);

  upstream.follow({ listed: ["b", "c"] });
  await clock.step(everyMs);

  await expect.poll(() => idsOf(running)).toEqual(["b", "c"]);
  expect(upstream.received.map(({ body }) => body.model).sort()).toEqual(["a", "b", "c"]);
});

test("a list that fails does not stop the start, is reported, and is requested again", async () => {
  upstream.follow({ listed: 500 });
  const running = await start("true", "{ own: { type: image, targets: [{ upstream: fake, model: x }] } }");
  const discovery = async () => (await readAdmin(running, "/admin/v1/upstreams")).data[0].discovery;
  await expect.poll(() => idsOf(running)).toEqual(["own"]);
  expect(await discovery()).toEqual({ models: 0, checked_at: null, error: expect.stringContaining("500") });
  expect(running.logLines.join("")).toContain("The models of an upstream could not be listed.");

  upstream.follow({ listed: ["a"] });
  await clock.step(30_000);
  await expect.poll(() => idsOf(running)).toEqual(["own", "a"]);
  expect(await discovery()).toEqual({ models: 1, checked_at: 1_787_150_086, error: null });

  upstream.follow({ listed: 503 });
  await clock.step(everyMs);
  await expect.poll(async () => (await discovery()).error).toContain("overloaded");
  await expect.poll(() => idsOf(running)).toEqual(["own", "a"]);
});

test("a model that did not reply is probed again in the next round", async () => {
  upstream.follow({ listed: ["a"], next: [{ faults: [{ kind: "reply", status: 500 }] }] });
  const running = await start("true");
  expect(await idsOf(running)).toEqual([]);

  upstream.follow({ listed: ["a"] });
  await clock.step(everyMs);

  await expect.poll(() => idsOf(running)).toEqual(["a"]);
});

test("no more than 500 models are offered, and unusable names are not", async () => {
  const names = Array.from({ length: 501 }, (_, index) => `m${index}`);
  upstream.follow({ listed: ["", "*", "x".repeat(257), "m0", ...names] });

  const running = await start("{ include: '*', type: image }");

  await expect.poll(() => idsOf(running)).toEqual(names.slice(0, 500));
  expect(running.logLines.join("")).toContain("Some models are left out.");
});
