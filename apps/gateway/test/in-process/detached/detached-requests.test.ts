import { SqliteFile } from "@model-gateway/data-folder/sqlite-file.cjs";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  type DetachedRequest,
  type DetachedResponse,
  isRefusedForNow,
} from "../../../src/execution/detached-request.js";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const always = { width: 8 };
let upstream: FakeUpstream;
let gateway: InProcessGateway;
let admin: AdminClient;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always } });
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  words: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m }] }
  pictures: { type: image, profile: gpt-image, price: { perImage: 0.25 }, targets: [{ upstream: fake, model: m }] }`);
  admin = new AdminClient(gateway.url);
});
afterEach(async () => {
  await gateway.stop();
  await upstream.close();
});

test("a request without a connection has the response of the same HTTP request, and a ledger row", async () => {
  const body = { model: "words", input: "a fox" };
  const sent = await gateway.sendJson("/v1/embeddings", body);

  const { status, headers, body: text } = await run({ body });

  expect(status).toBe(200);
  expect(parse(text)).toEqual({ ...((await sent.json()) as object), id: "req_1" });
  expect(headers["x-gateway-space"]).toBe(sent.headers.get("x-gateway-space"));
  expect(headers["x-request-id"]).toBe("req_1");
  const rows = await admin.rowsOnce(2);
  expect(rows[1]).toMatchObject({ id: "req_1", operation: "createEmbedding", model: "words", status: 200 });
});

test("a second run with the same id writes no second row", async () => {
  await run({ requestId: "req_once" });
  await run({ requestId: "req_once" });
  await run({ requestId: "req_last" });

  const ids = (await admin.rowsOnce(2)).map(({ id }) => id);
  expect(ids).toEqual(["req_once", "req_last"]);
});

test("a run that finds its own response counts what it cost, and another request with the key does not", async () => {
  const image = {
    operation: "createImage",
    body: { model: "pictures", prompt: "a fox" },
    headers: { "idempotency-key": "order-1" },
  } as const;
  await run({ ...image, requestId: "req_again" });
  await admin.rowsOnce(1);
  // As if the process had died between the stored response and the row.
  const file = new SqliteFile(`${gateway.dataDir}/gateway.db`);
  file.exec("delete from ledger_rows");
  file.close();

  await run({ ...image, requestId: "req_again" });
  await run({ ...image, requestId: "req_other" });

  const rows = await admin.rowsOnce(2);
  expect(rows.map(({ id, images, cost_usd, upstream: name }) => [id, images, cost_usd, name])).toEqual([
    ["req_again", 1, 0.25, "fake"],
    ["req_other", 0, 0, null],
  ]);
  expect(upstream.received).toHaveLength(1);
});

test("a revoked key and an unknown one are refused, and nothing is called", async () => {
  const { id } = await admin.createKey({ name: "short-lived" });
  expect((await run({ keyId: id })).status).toBe(200);
  await admin.revokeKey(id);

  const responses = [await run({ keyId: id }), await run({ keyId: "key_000000000000000000000000" })];

  expect(responses.map(({ status, body }) => [status, parse(body).error.message])).toEqual([
    [401, "This API key was revoked."],
    [401, "Incorrect API key provided."],
  ]);
  expect(upstream.received).toHaveLength(1);
});

test("rights and limits of the key hold", async () => {
  const { id } = await admin.createKey({
    name: "narrow",
    models: ["words"],
    limits: { requests_per_minute: 1 },
  });

  const refused = await run({
    keyId: id,
    operation: "createImage",
    body: { model: "pictures", prompt: "x" },
  });
  const first = await run({ keyId: id });
  const second = await run({ keyId: id });

  expect([refused.status, parse(refused.body).error.code]).toEqual([403, "model_not_allowed"]);
  expect(first.headers["x-ratelimit-remaining-requests"]).toBe("0");
  expect([second.status, parse(second.body).error.code]).toEqual([429, "rate_limit_exceeded"]);
  expect(Number(second.headers["retry-after-ms"])).toBeGreaterThan(0);
});

test("a run that is followed by another has no row, so the last run has it", async () => {
  const { id } = await admin.createKey({ name: "patient", limits: { requests_per_minute: 1 } });
  await run({ keyId: id, requestId: "req_first" });

  const refused = await run({ keyId: id, requestId: "req_line", runsAgain: isRefusedForNow });
  await admin.changeKey(id, { limits: { requests_per_minute: 5 } });
  const later = await run({ keyId: id, requestId: "req_line", runsAgain: isRefusedForNow });

  expect([refused.status, later.status]).toEqual([429, 200]);
  expect(refused.error && isRefusedForNow(refused.error)).toBe(true);
  const rows = await admin.rowsOnce(2);
  expect(rows.map(({ id, status }) => [id, status])).toEqual([
    ["req_first", 200],
    ["req_line", 200],
  ]);
});

test("the error of an upstream is not a refusal for now", async () => {
  upstream.follow({ always: { faults: [{ kind: "reply", status: 429, headers: { "retry-after": "1" } }] } });

  const { status, error } = await run({ operation: "createImage", body: { model: "pictures", prompt: "x" } });

  expect([status, error && isRefusedForNow(error)]).toEqual([429, false]);
});

test.each([
  [{ model: "words" }, "missing_required_parameter", "input"],
  [{ model: "words", input: "x", dimensions: "many" }, "invalid_type", "dimensions"],
  [{ model: "words", input: "x", colour: "red" }, "unknown_parameter", "colour"],
  [{ model: "words", input: "x", stream: true }, "invalid_value", "stream"],
])("the faulty body %j is refused by name", async (body, code, param) => {
  const response = await run({ body });

  expect([response.status, parse(response.body).error]).toEqual([
    400,
    expect.objectContaining({ code, param }),
  ]);
  expect(upstream.received).toEqual([]);
});

test("lines of a batch share upstream calls, and other requests do not", async () => {
  const lines = Array.from({ length: 256 }, (_, index) => ({ model: "words", input: `line ${index}` }));
  const headers = { "x-gateway-priority": "bulk" };

  const responses = await Promise.all(
    lines.map((body, index) => run({ body, headers, batchId: "batch_1", requestId: `req_line_${index}` })),
  );

  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(upstream.received).toHaveLength(2);
  const first = parse(responses[0]?.body);
  const alone = parse((await run({ body: lines[0], headers, requestId: "req_line_0" })).body);
  expect(first).toEqual(alone);
  await Promise.all(lines.slice(0, 4).map((body) => run({ body, headers })));
  expect(upstream.received).toHaveLength(7);
});

test("a request that is given up rejects with the reason, and its row has the status 499", async () => {
  upstream.follow({ always: { isHeld: true } });
  const controller = new AbortController();

  const running = run({ signal: controller.signal });
  await expect.poll(() => upstream.seen().inFlight).toBe(1);
  const reason = new Error("cancelled");
  controller.abort(reason);

  await expect(running).rejects.toBe(reason);
  await expect.poll(() => upstream.seen().inFlight).toBe(0);
  expect(await admin.rowsOnce(1)).toMatchObject([{ id: "req_1", status: 499, error_code: "caller_left" }]);
});

test("an image with an Idempotency-Key is bought once, by whichever way it is requested", async () => {
  const body = { model: "pictures", prompt: "a fox" };
  const headers = { "idempotency-key": "fox-1" };

  const first = await run({ operation: "createImage", body, headers });
  const again = await run({ operation: "createImage", body, headers, requestId: "req_2" });
  const sent = await gateway.sendJson("/v1/images/generations", body, { headers });

  expect([first.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  expect(sent.headers.get("idempotent-replayed")).toBe("true");
  expect(parse(again.body)).toEqual(parse(first.body));
  expect(upstream.received).toHaveLength(1);
});

test("the pipeline of a later configuration runs later requests", async () => {
  expect((await run({})).status).toBe(200);
  await gateway.reload(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { others: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: m }] } }`);

  const responses = [await run({}), await run({ body: { model: "others", input: "a fox" } })];

  expect(responses.map(({ status }) => status)).toEqual([404, 200]);
});

function run(request: Partial<DetachedRequest>): Promise<DetachedResponse> {
  const body = request.body ?? { model: "words", input: "a fox" };
  return gateway.app.runDetached({
    operation: "createEmbedding",
    keyId: "config:tester",
    requestId: "req_1",
    body,
    bytes: JSON.stringify(body).length,
    headers: {},
    origin: gateway.url,
    signal: new AbortController().signal,
    ...request,
  });
}

function parse(body: Buffer | undefined) {
  return JSON.parse(String(body));
}
