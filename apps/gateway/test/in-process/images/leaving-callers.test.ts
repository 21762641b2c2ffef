import type { Schemas } from "@model-gateway/domain/operations";
import { createPostgresDatabase } from "@model-gateway/test-suite/postgres-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { describePostgres } from "../../servers/describe-databases.js";

/** A paid call that was sent belongs to its Idempotency-Key, whether its caller stays or not. */
const generations = "/v1/images/generations";
const image = `data:image/png;base64,${tinyPng.toString("base64")}`;
const models = (upstream: FakeUpstream, m = "") => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: m${m} }] } }`;

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { isHeld: true } } });
  gateway = await startGateway(models(upstream));
});
afterEach(async () => {
  upstream.follow({});
  await gateway.stop();
  await upstream.close();
});

interface Sent {
  readonly path?: string;
  readonly body?: object;
  readonly key?: string;
  readonly to?: InProcessGateway;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(
  { path = generations, body = {}, key, to = gateway, headers = {} }: Sent,
  signal?: AbortSignal,
) {
  const paid = { ...headers, ...(key !== undefined && { "idempotency-key": key }) };
  return to.sendJson(
    path,
    { model: "m", prompt: "a fox", ...body },
    { headers: paid, ...(signal && { signal }) },
  );
}

/** Sends a request, waits until its call is at the upstream, and leaves. */
async function leave(sent: Sent): Promise<void> {
  const departure = new AbortController();
  const { requests } = upstream.seen();
  const response = send(sent, departure.signal);
  await expect.poll(() => upstream.seen().requests).toBe(requests + 1);
  departure.abort();
  await expect(response).rejects.toThrow();
  await expect.poll(() => (sent.to ?? gateway).inFlight()).toBe(0);
}

test.each([
  ["a generation", {}],
  ["a stream", { body: { stream: true } }],
  ["an edit", { path: "/v1/images/edits", body: { images: [{ image_url: image }] } }],
])("%s whose caller leaves runs to its end, and the retry gets its result", async (_name, sent) => {
  await leave({ ...sent, key: "order" });
  // It waits, as a concurrent duplicate does.
  const retried = send({ ...sent, key: "order" });
  expect(upstream.seen()).toMatchObject({ requests: 1, inFlight: 1 });
  upstream.follow({});

  const response = await retried;
  const body = await response.text();
  const later = await send({ ...sent, key: "order" });

  expect([response.status, later.status, later.headers.get("idempotent-replayed")]).toEqual([
    200,
    200,
    "true",
  ]);
  expect(body).toContain("b64_json");
  expect(await later.text()).toBe(body);
  expect(upstream.seen().requests).toBe(1);
});

test("the request of the caller that left has the cost", async () => {
  await leave({ key: "order" });
  upstream.follow({});

  const rows = await new AdminClient(gateway.url).rowsOnce(1);

  expect(rows).toMatchObject([{ status: 499, error_code: "caller_left", images: 1, cost_usd: 1 }]);
});

test("a caller whose timeout has passed gets the result with its next request", async () => {
  const timedOut = await send({ key: "order", headers: { "x-gateway-timeout-ms": "1000" } });
  upstream.follow({});
  const retried = await send({ key: "order" });

  expect([timedOut.status, retried.status, retried.headers.get("idempotent-replayed")]).toEqual([
    504,
    200,
    "true",
  ]);
  expect(upstream.seen().requests).toBe(1);
});

test("without a key, a caller that leaves cancels the call", async () => {
  await leave({});

  await expect.poll(() => upstream.seen().inFlight).toBe(0);
});

test("a call that fails without its caller has an unknown outcome, and is not bought again", async () => {
  upstream.follow({ always: { isHeld: true, faults: [{ kind: "reply", status: 500 }] } });
  await leave({ key: "order" });
  upstream.follow({});
  // Its row is written when it has ended.
  const rows = await new AdminClient(gateway.url).rowsOnce(1);

  expect(rows).toMatchObject([{ images: 0, cost_usd: null }]);

  expect(await codeOf(await send({ key: "order" }))).toEqual([409, "idempotency_outcome_unknown"]);
  expect(upstream.seen().requests).toBe(1);
});

test("of 64 calls that go on, one key has half; another beyond that is cancelled, and its key says so", async () => {
  const admin = new AdminClient(gateway.url);
  const keys = Array.from({ length: 33 }, (_, index) => `order ${index}`);
  for (const key of keys) await leave({ key });
  await expect.poll(() => upstream.seen().inFlight).toBe(32);
  const other = await admin.createKey({ name: "modest" });
  await leave({ key: "order", headers: { authorization: `Bearer ${other.value}` } });

  expect(upstream.seen().inFlight).toBe(33);
  expect(await codeOf(await send({ key: "order 32" }))).toEqual([409, "idempotency_outcome_unknown"]);
  upstream.follow({});
  const retried = await Promise.all(keys.slice(0, 32).map((key) => send({ key })));
  expect(new Set(retried.map(({ status }) => status))).toEqual(new Set([200]));
  expect(upstream.seen().requests).toBe(34);
});

test("a job that is cancelled ends its call, and its key says that the outcome is unknown", async () => {
  const created = await send({ key: "order", headers: { prefer: "respond-async" } });
  const { id } = (await created.json()) as Schemas["Job"];
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  await gateway.send(`/v1/jobs/${id}/cancel`, { method: "POST" });
  await expect.poll(() => upstream.seen().inFlight).toBe(0);

  expect(await codeOf(await send({ key: "order" }))).toEqual([409, "idempotency_outcome_unknown"]);
});

test("a job with the key of a caller that left gets its result", async () => {
  await leave({ key: "order" });
  const created = await send({ key: "order", headers: { prefer: "respond-async" } });
  const { id } = (await created.json()) as Schemas["Job"];
  upstream.follow({});

  const job = await gateway.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } });
  expect(await job.json()).toMatchObject({ status: "completed" });
  expect(upstream.seen().requests).toBe(1);
});

describePostgres("replicas with one database", () => {
  test("a retry at another replica waits for the call of a caller that left", async () => {
    const { url, drop } = await createPostgresDatabase();
    const [one, other] = await Promise.all(
      [1, 2].map(() => startGateway(`databaseUrl: "${url}"${models(upstream)}`)),
    );
    try {
      await leave({ key: "order", to: one! });
      const retried = send({ key: "order", to: other! });
      upstream.follow({});

      const response = await retried;
      expect([response.status, response.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
      expect(upstream.seen().requests).toBe(1);
    } finally {
      await one?.stop();
      await other?.stop();
      await drop();
    }
  });
});

async function codeOf(response: Response): Promise<readonly [number, string | undefined]> {
  const { error } = (await response.json()) as { error?: { code: string } };
  return [response.status, error?.code];
}
