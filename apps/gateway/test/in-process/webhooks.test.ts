import type { Schemas } from "@model-gateway/domain/operations";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../src/webhooks/test/receiver.js";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { BatchClient, embeddingLines } from "../gateway/batch-client.js";
import { readDocument } from "../gateway/documented.js";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";

const polling = { timeout: 90_000 };
let closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.reverse()) await close();
  closing = [];
});

interface Fixture {
  readonly receiver: Receiver;
  readonly upstream: FakeUpstream;
  readonly gateway: InProcessGateway;
  embed(key?: string): Promise<Response>;
  /** Creates a key with a budget of one cent. */
  createSpender(): Promise<string>;
}

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

async function start(): Promise<Fixture> {
  const receiver = await startReceiver();
  const upstream = await startFakeUpstream();
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m:
    type: embedding
    price: { perMillionTokens: 1000 }
    retries: { max: 0 }
    targets: [{ upstream: fake, model: text }]
webhooks:
  - { url: "${receiver.url}", secret: "${receiver.secret}", budgetShares: [0.9, 0.5] }
`);
  closing.push(
    () => receiver.close(),
    () => upstream.close(),
    () => gateway.stop(),
  );
  const embed = (key = testKey) =>
    gateway.sendJson("/v1/embeddings", { model: "m", input: "aaaa" }, withKey(key));
  const createSpender = async () => {
    const key = { name: "spender", budget: { usd: 0.01, per: "month" } };
    const created = await gateway.sendJson("/admin/v1/keys", key, withKey(testAdminKey));
    return ((await created.json()) as Schemas["CreatedKey"]).value;
  };
  return { receiver, upstream, gateway, embed, createSpender };
}

async function readMetrics(gateway: InProcessGateway): Promise<string> {
  return (await gateway.send("/metrics", withKey(testAdminKey))).text();
}

/** A body must be as the spec describes it. */
function checkEvent(name: string, body: unknown): void {
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
  ajv.addSchema(readDocument(), "spec");
  const validate = ajv.compile({ $ref: `spec#/components/schemas/${name}` });
  expect(validate(body) ? [] : validate.errors).toEqual([]);
}

test("a key that spends its budget is reported at each share, once, and a key without a budget never", async () => {
  const { receiver, embed, createSpender } = await start();
  const spender = await createSpender();

  // Four tokens cost $0.004.
  await embed();
  const statuses = [];
  for (let index = 0; index < 5; index += 1) statuses.push((await embed(spender)).status);

  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  await expect.poll(() => receiver.events.length, polling).toBe(2);
  for (const { isSigned, body } of receiver.events) {
    expect(isSigned).toBe(true);
    checkEvent("BudgetShareReachedEvent", body);
  }
  const sent = receiver.events.map(({ body: { data } }) => ({
    share: data.share,
    spent: data.spent_usd,
    key: data.key_name,
  }));
  expect(sent.sort((one, two) => Number(one.share) - Number(two.share))).toEqual([
    { share: 0.5, spent: 0.008, key: "spender" },
    { share: 0.9, spent: 0.012, key: "spender" },
  ]);
});

test("a target that fails and recovers is reported, as the log says it", async () => {
  const { receiver, upstream, gateway, embed } = await start();
  await embed();
  upstream.follow({ always: { faults: [{ kind: "reply", status: 401 }] } });

  await embed();

  await expect.poll(() => receiver.events.length, polling).toBe(1);
  const [event] = receiver.events;
  expect(event?.isSigned).toBe(true);
  checkEvent("TargetStateChangedEvent", event?.body);
  expect(event?.body).toMatchObject({
    type: "target.state_changed",
    data: {
      upstream: "fake",
      model: "text",
      state: "misconfigured",
      previous_state: "healthy",
      error_code: "upstream_auth_error",
      worker: 1,
    },
  });
  expect(gateway.logLines.join("")).toContain("refuses the gateway's credentials");
});

test("a receiver that stalls delays neither requests nor the stop", async () => {
  const { receiver, embed, createSpender, gateway } = await start();
  receiver.manners.push(...Array(20).fill("stall"));
  const spender = await createSpender();

  const statuses = [await embed(spender), await embed(spender), await embed(spender)];
  await expect.poll(() => receiver.events.length, polling).toBe(2);

  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200]);
  // It would take half an hour if it waited for the retries.
  await gateway.stop();
  closing.pop();
});

test("the metrics count deliveries", async () => {
  const { receiver, upstream, gateway, embed } = await start();
  upstream.follow({ always: { faults: [{ kind: "reply", status: 401 }] } });
  await embed();
  await expect.poll(() => receiver.events.length, polling).toBe(1);

  await expect
    .poll(async () => (await readMetrics(gateway)).match(/^gateway_webhook.*$/gm), polling)
    .toEqual([
      'gateway_webhook_events_total{event="target.state_changed",outcome="delivered"} 1',
      "gateway_webhook_pending 0",
    ]);
});

test("the end of a batch is reported to webhooks that ask for it, in the form of OpenAI's events", async () => {
  const receiver = await startReceiver();
  const upstream = await startFakeUpstream();
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, targets: [{ upstream: fake, model: text }] } }
webhooks: [{ url: "${receiver.url}", secret: "${receiver.secret}", events: [batch] }]
`);
  closing.push(
    () => receiver.close(),
    () => upstream.close(),
    () => gateway.stop(),
  );
  const client = new BatchClient(gateway.url);

  const completed = await client.run(embeddingLines(2, "m"));
  const failed = await client.run(embeddingLines(1, "no-such-model"));

  await expect.poll(() => receiver.events.length, polling).toBe(2);
  for (const { isSigned, body } of receiver.events) {
    expect(isSigned).toBe(true);
    checkEvent("BatchEndedEvent", body);
  }
  const sent = receiver.events.map(({ body }) => [body.type, body.data]);
  const key = { key_id: "config:tester", key_name: "tester" };
  expect(sent).toEqual(
    expect.arrayContaining([
      [
        "batch.completed",
        { id: completed.id, ...key, request_counts: { total: 2, completed: 2, failed: 0 } },
      ],
      ["batch.failed", { id: failed.id, ...key, request_counts: { total: 0, completed: 0, failed: 0 } }],
    ]),
  );
});
