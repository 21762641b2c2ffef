import { Agent } from "node:http";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type BuiltGateway, GatewayFolder, patientTimers } from "../../gateway/built.js";
import { type FreshRequest, sendFresh, sendMany } from "../../gateway/fresh-connection.js";
import { testAdminKey } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";
import { childrenOf } from "./child-processes.js";

const workerCount = 4;
const script = { models: { image: { delayMs: 500 } } };

describeServed("a gateway of four workers", () => {
  const keys: string[] = [];
  let upstream: FakeUpstream;
  let servers: OpenStage;
  let home: GatewayFolder;
  let gateway: BuiltGateway;
  let admin: AdminClient;

  beforeAll(async () => {
    upstream = await startFakeUpstream({ script });
    servers = await openServers();
    home = new GatewayFolder(
      `
logLevel: warn
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, price: { perMillionTokens: 10000 }, targets: [{ upstream: fake, model: text }] }
  flaky: { type: embedding, targets: [{ upstream: fake, model: flaky }] }
  image: { type: image, profile: gpt-image, price: { perImage: 0.25 }, targets: [{ upstream: fake, model: image }] }
`,
      { ...servers.environment, WORKERS: String(workerCount) },
    );
    gateway = await home.start({}, { preload: patientTimers });
    admin = new AdminClient(gateway.url);
  });
  afterAll(async () => {
    await home.remove();
    await servers.close(keys);
    await upstream.close();
  });

  async function createKey(more: Partial<Schemas["CreateKeyRequest"]> = {}): Promise<Schemas["CreatedKey"]> {
    const key = await admin.createKey({ name: "tester", ...more });
    keys.push(key.id);
    return key;
  }

  const send = (path: string, request: FreshRequest) => sendFresh(`${gateway.url}${path}`, request);
  const embed = (key: string) => send("/v1/embeddings", { key, body: { model: "text", input: "a" } });

  test("has that many processes, which take turns with connections", async () => {
    const key = await createKey();
    const before = upstream.seen().connections.total;

    const responses = [];
    for (let count = 0; count < 12; count += 1) responses.push(await embed(key.value));

    expect(childrenOf(gateway.pid)).toHaveLength(workerCount);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    // Each has separate connections to the upstream.
    expect(upstream.seen().connections.total - before).toBe(workerCount);
  });

  test("shows a change of the configuration, and leaves the file to the deployment", async () => {
    const models = { added: { type: "embedding", targets: [{ upstream: "fake", model: "text" }] } };

    const shown = await (await admin.send("/admin/v1/configuration")).json();
    const changes = await Promise.all(
      Array.from({ length: workerCount }, async () => {
        const init = { method: "POST", body: JSON.stringify({ models }) };
        return (await admin.send("/admin/v1/configuration/changes", init)).json();
      }),
    );

    expect(shown).toMatchObject({ editable: false, not_editable_reason: "shared_deployment" });
    for (const change of changes)
      expect(change).toMatchObject({
        applied: false,
        not_applied_reason: "shared_deployment",
        lines: expect.stringContaining("models:\n  added:\n"),
      });
  });

  test("lets a hundred requests a minute pass and not one more, whichever worker gets them", async () => {
    const key = await createKey({ limits: { requests_per_minute: 100 } });

    const responses = await sendMany(130, () => embed(key.value));

    const passed = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect(gateway.stdout()).not.toContain("Redis is unavailable");
    expect([passed.length, refused.length]).toEqual([100, 30]);
    // Each that passed saw another count, and the last one saw none left.
    const remaining = passed.map(({ headers }) => Number(headers["x-ratelimit-remaining-requests"]));
    expect(Math.min(...remaining)).toBe(0);
    for (const { headers, body } of refused) {
      expect(body()).toEqual({
        error: {
          message: expect.stringMatching(
            /^Rate limit reached for this key on requests per min \(RPM\): Limit 100, Used 100, Requested 1\. Please try again in \S+s\.$/,
          ),
          type: "rate_limit_error",
          param: null,
          code: "rate_limit_exceeded",
        },
      });
      expect(headers).toMatchObject({
        "x-ratelimit-limit-requests": "100",
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": expect.stringMatching(/^(1m0|[\d.]+)s$/),
        "retry-after": expect.stringMatching(/^\d+$/),
        "retry-after-ms": expect.stringMatching(/^\d+$/),
      });
    }
    const rows = await admin.rowsOnce(130, { key: key.id });
    expect(rows.filter(({ status }) => status === 200)).toHaveLength(100);
    expect(rows).toHaveLength(130);
  });

  test("knows a session on every worker, and none once it has ended", async () => {
    const { value } = await admin.createSession();
    const statuses = async () =>
      new Set(
        (await sendMany(2 * workerCount, () => send("/admin/v1/models", { key: value }))).map(
          ({ status }) => status,
        ),
      );

    expect(await statuses()).toEqual(new Set([200]));
    await send("/admin/v1/sessions/current", { key: value, method: "DELETE" });

    expect(await statuses()).toEqual(new Set([401]));
  });

  test("streams the requests of every worker to a reader", async () => {
    const key = await createKey();
    const response = await admin.send(`/admin/v1/events?limit=${1 + 2 * workerCount}`);
    const reader = response.body?.getReader();
    let text = Buffer.from((await reader?.read())?.value ?? "").toString();
    expect(text).toContain("stream.started");

    for (let count = 0; count < 2 * workerCount; count += 1) await embed(key.value);
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read())
      text += Buffer.from(chunk.value).toString();

    expect(text.match(/^event: request\.finished$/gm)).toHaveLength(2 * workerCount);
  });

  test("stops a revoked key on every worker before the revocation is confirmed", async () => {
    const statuses = async (key: string) =>
      new Set((await sendMany(2 * workerCount, () => embed(key))).map(({ status }) => status));

    for (let round = 0; round < 5; round += 1) {
      const key = await createKey();
      expect(await statuses(key.value)).toEqual(new Set([200]));
      await admin.revokeKey(key.id);
      expect(await statuses(key.value)).toEqual(new Set([401]));
    }
  });

  test("applies a change of a key on every worker before the change is confirmed", async () => {
    const key = await createKey();
    const statuses = async () =>
      new Set((await sendMany(2 * workerCount, () => embed(key.value))).map(({ status }) => status));
    expect(await statuses()).toEqual(new Set([200]));

    for (const models of [["image"], ["text"], ["image"], ["text"]]) {
      await admin.changeKey(key.id, { models });
      expect(await statuses()).toEqual(new Set([models[0] === "text" ? 200 : 403]));
    }
  });

  test("reports the same readiness and targets from every worker", async () => {
    const key = await createKey();
    // Only the worker of this connection sees the target fail.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    upstream.follow({ models: { flaky: { faults: [{ kind: "reply", status: 500 }] } } });
    for (let count = 0; count < 6; count += 1)
      await send("/v1/embeddings", { key: key.value, body: { model: "flaky", input: "a" }, agent });
    upstream.follow(script);

    const asked = await sendMany(2 * workerCount, () => send("/readyz?verbose", { key: testAdminKey }));
    const listed = await sendMany(2 * workerCount, () => send("/admin/v1/upstreams", { key: testAdminKey }));

    const stateOf = ({ targets }: { targets: Schemas["TargetState"][] }) =>
      targets.find(({ model }) => model === "flaky")?.state;
    const seen = [
      ...asked.map((response) => stateOf(response.body())),
      ...listed.map((response) => stateOf(response.body().data[0])),
    ];
    // With time an open circuit breaker becomes half-open.
    expect(seen.filter((state) => state !== "open" && state !== "half-open")).toEqual([]);
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 200));
    agent.destroy();
  });

  test("creates an image once for twenty requests with one Idempotency-Key, and sends all the same response", async () => {
    const key = await createKey();
    const before = upstream.seen().requests;

    const responses = await sendMany(20, () =>
      send("/v1/images/generations", {
        key: key.value,
        body: { model: "image", prompt: "a fox" },
        headers: { "idempotency-key": "the same for all" },
      }),
    );

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(upstream.seen().requests - before).toBe(1);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers["idempotent-replayed"] === undefined)).toHaveLength(1);
    // It is paid for once.
    const rows = await admin.rowsOnce(20, { key: key.id });
    expect(rows.map(({ images, cost_usd }) => ({ images, cost_usd })).sort(byImages)).toEqual([
      ...Array.from({ length: 19 }, () => ({ images: 0, cost_usd: 0 })),
      { images: 1, cost_usd: 0.25 },
    ]);
  });

  test("serves an image from any worker", async () => {
    const key = await createKey();
    const made = await send("/v1/images/generations", {
      key: key.value,
      body: { model: "image", prompt: "a fox", response_format: "url" },
    });
    const { url } = made.body().data[0];

    const responses = await sendMany(8, () => sendFresh(url, { key: "" }));

    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });

  test("spends the budget of a key, and no more", async () => {
    // Each costs a cent.
    const key = await createKey({ budget: { usd: 0.1, per: "day" } });

    const responses = await sendMany(30, () => embed(key.value));
    const later = await embed(key.value);

    const statuses = responses.map(({ status }) => status);
    expect([200, 429].map((one) => statuses.filter((status) => status === one).length)).toEqual([10, 20]);
    expect(later.status).toBe(429);
    expect(later.headers).toMatchObject({ "x-should-retry": "false" });
    expect(later.body().error).toMatchObject({ type: "insufficient_quota", code: "insufficient_quota" });
    const rows = await admin.rowsOnce(31, { key: key.id });
    expect(rows.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0)).toBeCloseTo(0.1, 9);
  });

  test("reports the metrics of all workers from every worker", async () => {
    const key = await createKey();
    const metrics = async () => (await send("/metrics", { key: testAdminKey })).text;
    const counted = (text: string) =>
      sumOf(text, /^gateway_requests_total\{operation="createEmbedding",.*code="none"\} (\d+)$/gm);
    const before = counted(await metrics());

    await sendMany(40, () => embed(key.value));
    // A request is counted after its response.
    await expect.poll(async () => counted(await metrics()) - before).toBe(40);
    const texts = [];
    for (let count = 0; count < 8; count += 1) texts.push(await metrics());

    expect(texts.map((text) => counted(text) - before)).toEqual(texts.map(() => 40));
    const inFlight = texts.map((text) =>
      sumOf(text, /^gateway_requests_in_flight\{operation="createEmbedding"\} (\d+)$/gm),
    );
    expect(inFlight).toEqual(texts.map(() => 0));
  });
});

function byImages(left: { images: number }, right: { images: number }): number {
  return left.images - right.images;
}

function sumOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((sum, [, figure]) => sum + Number(figure), 0);
}
