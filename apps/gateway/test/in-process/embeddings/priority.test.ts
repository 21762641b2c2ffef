import type { Schemas } from "@model-gateway/domain/operations";
import { expect, onTestFinished, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { startGateway } from "../../gateway/in-process.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { type HeldCall, startSteppingUpstream } from "./stepping-upstream.js";

const inBulk = { headers: { "x-gateway-priority": "bulk" } };
const isLive = ({ inputs: [first = ""] }: HeldCall) => first.startsWith("live");
const embeddingsOf = async (response: Response) =>
  ((await response.json()) as Schemas["CreateEmbeddingResponse"]).data.map(({ embedding }) => embedding);

/** A gateway before a target that takes four calls at once, and holds each of them until it is released. */
async function startFixture() {
  const upstream = await startSteppingUpstream(8);
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m, maxConcurrency: 4, bulkMaxInputs: 25 }] } }`);
  onTestFinished(async () => {
    upstream.releaseAll();
    await gateway.stop();
    await upstream.close();
  });
  const asAdmin = { headers: { authorization: `Bearer ${testAdminKey}` } };
  const embed = (input: string | readonly string[], init?: RequestInit) =>
    gateway.sendJson("/v1/embeddings", { model: "m", input }, init);
  /** The figure of a metric; 0 if absent. */
  const figure = async (name: string) => {
    const text = await (await gateway.send("/metrics", asAdmin)).text();
    const line = text.split("\n").find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1) ?? 0);
  };
  const createBulkKey = async () => {
    const body = { name: "nightly", priority: "bulk" };
    const created = await gateway.sendJson("/admin/v1/keys", body, asAdmin);
    const { value } = (await created.json()) as Schemas["CreatedKey"];
    return { headers: { authorization: `Bearer ${value}` } };
  };
  return { upstream, gateway, embed, figure, createBulkKey };
}

test("interactive calls are served before a bulk job, and the job is never left behind", async () => {
  const { upstream, gateway, embed, figure, createBulkKey } = await startFixture();
  // Two jobs of 1,000 inputs, by the key and by the header: 80 calls of 25.
  const jobs = [await createBulkKey(), inBulk].flatMap((init, job) =>
    [0, 500].map((from) => {
      const inputs = Array.from({ length: 500 }, (_, index) => `bulk ${job} ${from + index}`);
      return { inputs, response: embed(inputs, init) };
    }),
  );
  await upstream.untilArrived(3);

  // While the job waits for its own calls, an interactive call finds the kept slot free.
  for (let round = 1; round <= 20; round += 1) {
    const live = embed(`live ${round}`);
    await upstream.untilArrived(upstream.arrivals.length + 1);
    expect(upstream.held.map(isLive)).toEqual([false, false, false, true]);
    upstream.held[3]?.release();
    expect((await live).status).toBe(200);
    upstream.held[0]?.release();
    await upstream.untilArrived(upstream.arrivals.length + 1);
  }

  // Interactive calls that alone would fill the target go first, and use all slots but one. A call of the job that
  // waits for that slot, and not for another call of the job, goes after sixteen of them.
  const before = upstream.arrivals.length;
  const lives = Array.from({ length: 60 }, (_, index) => embed(`live in a crowd ${index}`));
  const waiting = 'gateway_queue_waiting{model="m",priority="interactive"}';
  await expect.poll(() => figure(waiting), { timeout: 120_000 }).toBe(59);
  const arrivedLive = () => upstream.arrivals.slice(before).filter(isLive).length;
  while (arrivedLive() < 60) {
    const { length } = upstream.arrivals;
    upstream.held[0]?.release();
    await upstream.untilArrived(length + 1);
  }
  const turns = upstream.arrivals.slice(before).map((call) => (isLive(call) ? "live" : "bulk"));
  const livesBefore = turns.flatMap((turn, at) =>
    turn === "bulk" ? [turns.slice(0, at).filter((one) => one === "live").length] : [],
  );
  expect(livesBefore).toEqual([19, 38, 57]);

  upstream.releaseAll();
  for (const live of await Promise.all(lives)) {
    expect(live.status).toBe(200);
    expect(live.headers.get("x-gateway-queue-place")).toBeNull();
  }
  for (const { inputs, response } of jobs) {
    const done = await response;
    expect(done.status).toBe(200);
    expect(Number(done.headers.get("x-gateway-queue-place"))).toBeGreaterThan(0);
    expect(await embeddingsOf(done)).toEqual(inputs.map((input) => vectorOf(input, 8)));
  }
  expect(upstream.heldMax).toBe(4);
  const bulkSizes = upstream.arrivals.filter((call) => !isLive(call)).map(({ inputs }) => inputs.length);
  expect(bulkSizes).toEqual(Array(80).fill(25));
  const result = (priority: string) =>
    Promise.all(
      ["direct", "waited", "refused"].map((one) =>
        figure(`gateway_queue_calls_total{priority="${priority}",result="${one}"}`),
      ),
    );
  expect(await result("interactive")).toEqual([21, 59, 0]);
  const [direct = 0, waited = 0, refused] = await result("bulk");
  expect([direct + waited, refused]).toEqual([80, 0]);
  expect(await figure('gateway_priority_seconds_count{model="m",priority="bulk"}')).toBe(4);
  const priorities = () =>
    gateway.logLines
      .map((line) => JSON.parse(line))
      .filter(({ operation }) => operation === "createEmbedding")
      .map(({ priority = "none" }) => priority);
  await expect.poll(() => priorities().length).toBe(84);
  expect(priorities().filter((one) => one === "bulk")).toHaveLength(4);
}, 240_000);

test("an interactive request does not wait for an input that a bulk request has already requested", async () => {
  const { upstream, embed } = await startFixture();
  const bulk = embed("live or not", inBulk);
  await upstream.untilArrived(1);
  const live = embed("live or not");
  await upstream.untilArrived(2);

  upstream.held[1]?.release();

  expect(await embeddingsOf(await live)).toEqual([vectorOf("live or not", 8)]);
  upstream.releaseAll();
  expect((await bulk).status).toBe(200);
});
