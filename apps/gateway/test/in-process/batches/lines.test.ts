import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { BatchClient, batchLine, embeddingLines, imageLines } from "../../gateway/batch-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let admin: AdminClient;
let client: BatchClient;
const clock = { ahead: 0 };

beforeEach(async () => {
  clock.ahead = 0;
  upstream = await startFakeUpstream({ script: { always: { width: 8, images: "tiny" } } });
  gateway = await startGateway(
    `
logLevel: warn
batches: { concurrency: 2 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1000000 }, targets: [{ upstream: fake, model: text }] }
  wide: { type: embedding, dimensions: 1536, targets: [{ upstream: fake, model: wide }] }
  other: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: other }] }
  image: { type: image, profile: gpt-image, price: { perImage: 1 }, targets: [{ upstream: fake, model: image }] }
`,
    { wallClock: { now: () => Date.now() + clock.ahead, wait } },
  );
  admin = new AdminClient(gateway.url);
  client = new BatchClient(gateway.url);
});
afterEach(async () => {
  await gateway.stop();
  await upstream.close();
});

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

describe("a key's rights", () => {
  test("a batch of an operator's session runs as the operator, under no key's limits", async () => {
    const { value } = await admin.createSession();

    const batch = await new BatchClient(gateway.url, value).run(embeddingLines(2, "text"));

    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 2, failed: 0 } });
    const rows = await admin.rowsOnce(2, { batch: batch.id });
    expect(rows.map(({ key_id }) => key_id)).toEqual(["console:operator", "console:operator"]);
    const cost = rows.reduce((sum, { cost_usd }) => sum + (cost_usd ?? 0), 0);
    expect(cost).toBeGreaterThan(0);
    expect(await admin.batch(batch.id)).toMatchObject({
      key_name: "console",
      key_owner: null,
      cost_usd: cost,
    });
  });

  test("a model outside the key's list is refused, and nothing runs", async () => {
    const { value } = await admin.createKey({ name: "narrow", models: ["other"] });

    const batch = await new BatchClient(gateway.url, value).run(embeddingLines(3, "text"));

    expect(batch).toMatchObject({ status: "failed", output_file_id: null, error_file_id: null });
    expect(batch.errors?.data).toMatchObject([{ code: "model_not_allowed", line: 1, param: "body.model" }]);
    expect(upstream.seen().requests).toBe(0);
  });

  test("a model that cannot serve the endpoint, and one that does not exist, are refused", async () => {
    const wrong = await client.run([batchLine("a", { model: "image", input: "x" })]);
    const unknown = await client.run([batchLine("a", { model: "nope", input: "x" })]);

    expect(wrong.errors?.data[0]?.code).toBe("unsupported_operation");
    expect(unknown.errors?.data[0]?.code).toBe("model_not_found");
    expect(upstream.seen().requests).toBe(0);
  });

  test("a budget that is used up on the way fails the lines after it", async () => {
    const { value } = await admin.createKey({ name: "poor", budget: { usd: 3, per: "month" } });
    const poor = new BatchClient(gateway.url, value);

    const batch = await poor.run(imageLines(8, "image"), "/v1/images/generations");

    expect(batch).toMatchObject({
      status: "completed",
      request_counts: { total: 8, completed: 3, failed: 5 },
    });
    const errors = await poor.linesOf(batch.error_file_id);
    expect(new Set(errors.map(({ response }) => response?.body.error.code))).toEqual(
      new Set(["insufficient_quota"]),
    );
    expect(upstream.seen().requests).toBe(3);
    await expect(poor.create(imageLines(1, "image"), "/v1/images/generations")).rejects.toMatchObject({
      status: 429,
      code: "insufficient_quota",
    });
  });

  test("a key that is revoked stops its batch, and keeps what there is", async () => {
    const { id, value } = await admin.createKey({ name: "short-lived" });
    const caller = new BatchClient(gateway.url, value);
    upstream.follow({ always: { isHeld: true, images: "tiny" } });
    const batchId = await caller.create(imageLines(10, "image"), "/v1/images/generations");
    await expect.poll(() => upstream.seen().inFlight).toBe(2);

    await admin.revokeKey(id);
    upstream.follow({ always: { images: "tiny" } });

    const found = async () => (await admin.batch(batchId)).status;
    await expect.poll(found).toBe("failed");
    const batch = await admin.batch(batchId);
    expect(batch.errors?.data).toEqual([
      { code: "invalid_api_key", line: null, message: "This API key was revoked.", param: null },
    ]);
    expect(batch.request_counts).toEqual({ total: 10, completed: 2, failed: 8 });
    expect(upstream.seen().requests).toBe(2);
  });
});

test.each(["float", "base64"])(
  "lines that share large replies have their own vectors as %s, and none runs twice",
  async (encoding_format) => {
    upstream.follow({ always: { width: 1536 } });
    const count = 600;
    const input = (index: number) => `text ${index}`;
    const lines = Array.from({ length: count }, (_, index) =>
      batchLine(String(index), { model: "wide", input: input(index), encoding_format }),
    );

    const batch = await client.run(lines);

    expect(batch).toMatchObject({ status: "completed", request_counts: { completed: count, failed: 0 } });
    for (const [index, { custom_id, response }] of (await client.linesOf(batch.output_file_id)).entries()) {
      expect(custom_id).toBe(String(index));
      expect(numbersOf(response?.body.data[0].embedding)).toEqual(vectorOf(input(index), 1536));
    }
    const called = upstream.received.flatMap(({ body }) => body.input);
    expect(called.toSorted()).toEqual(Array.from({ length: count }, (_, index) => input(index)).toSorted());
  },
);

function numbersOf(embedding: number[] | string): number[] {
  if (typeof embedding !== "string") return embedding;
  const bytes = Buffer.from(embedding, "base64");
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
}

test("lines that are refused have their error in the error file", async () => {
  const batch = await client.run([
    batchLine("good", { model: "text", input: "a" }),
    batchLine("bad", { model: "text", input: "a", dimensions: 0 }),
    batchLine("odd", { model: "text", input: "a", dimension: 8 }),
  ]);

  expect(batch).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 1, failed: 2 } });
  const errors = await client.linesOf(batch.error_file_id);
  expect(errors.map(({ custom_id, response, error }) => [custom_id, response?.status_code, error])).toEqual([
    ["bad", 400, null],
    ["odd", 400, null],
  ]);
  expect(errors[1]?.response?.body.error).toMatchObject({ code: "unknown_parameter", param: "dimension" });
});

test("lines that a limit refuses wait, and each has one row in the ledger", async () => {
  const { value } = await admin.createKey({ name: "slow", limits: { max_concurrency: 3 } });
  const slow = new BatchClient(gateway.url, value);

  const batch = await slow.run(embeddingLines(40, "text"));

  expect(batch).toMatchObject({
    status: "completed",
    request_counts: { total: 40, completed: 40, failed: 0 },
  });
  await admin.untilShipped();
  const rows = await admin.rows({ batch: batch.id });
  expect(rows).toHaveLength(40);
  expect(rows.every(({ status }) => status === 200)).toBe(true);
});

test("an upstream that fails for a while delays embedding lines, and fails none", async () => {
  upstream.follow({
    always: { width: 8 },
    next: Array(6).fill({ faults: [{ kind: "reply", status: 500 }] }),
  });

  const batch = await client.run(embeddingLines(5, "text"));

  expect(batch).toMatchObject({ status: "completed", request_counts: { completed: 5, failed: 0 } });
});

test("an image that may have been bought is not tried again", async () => {
  upstream.follow({ always: { images: "tiny" }, next: [{ faults: [{ kind: "cut" }] }] });

  const batch = await client.run(imageLines(2, "image"), "/v1/images/generations");

  expect(batch.request_counts).toEqual({ total: 2, completed: 1, failed: 1 });
  expect(upstream.seen().requests).toBe(2);
});

test("links of a batch lead to its images, and last as long as the output file", async () => {
  const lines = imageLines(2, "image", { response_format: "url" });

  const batch = await client.run(lines, "/v1/images/generations");

  const output = await client.linesOf(batch.output_file_id);
  const links = output.map(({ response }) => new URL(response?.body.data[0].url));
  expect(output.every(({ response }) => response?.body.data[0].b64_json === undefined)).toBe(true);
  for (const link of links) {
    const days = (Number(link.searchParams.get("expires")) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(30);
    const image = await fetch(link);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);
    const whole = Buffer.from(await image.arrayBuffer());
    expect(String(whole.length)).toBe(image.headers.get("content-length"));
    const part = await fetch(link, { headers: { range: "bytes=1-3" } });
    expect(await part.text()).toBe("PNG");
    link.searchParams.set("signature", "x");
    expect((await fetch(link)).status).toBe(403);
  }
});

test("a cancelled batch ends its running lines, and says of the others that they did not run", async () => {
  upstream.follow({ always: { isHeld: true, images: "tiny" } });
  const id = await client.create(imageLines(10, "image"), "/v1/images/generations");
  await expect.poll(() => upstream.seen().inFlight).toBe(2);

  await client.openai.batches.cancel(id);
  expect((await client.retrieve(id)).status).toBe("cancelling");
  upstream.follow({ always: { images: "tiny" } });

  const batch = await client.untilEnded(id);
  expect(batch).toMatchObject({
    status: "cancelled",
    request_counts: { total: 10, completed: 2, failed: 8 },
  });
  expect(await client.linesOf(batch.output_file_id)).toHaveLength(2);
  const errors = await client.linesOf(batch.error_file_id);
  expect(errors).toHaveLength(8);
  expect(errors[0]).toMatchObject({ response: null, error: { code: "batch_cancelled" } });
  expect(upstream.seen().requests).toBe(2);
});

test("lines that have not run after a day are reported as expired", async () => {
  upstream.follow({ always: { isHeld: true, images: "tiny" } });
  const id = await client.create(imageLines(5, "image"), "/v1/images/generations");
  await expect.poll(() => upstream.seen().inFlight).toBe(2);

  clock.ahead = 24 * 3_600_000;
  upstream.follow({ always: { images: "tiny" } });

  const batch = await client.untilEnded(id);
  expect(batch).toMatchObject({ status: "expired", request_counts: { total: 5, completed: 2, failed: 3 } });
  const errors = await client.linesOf(batch.error_file_id);
  expect(errors.map(({ error }) => error?.code)).toEqual(["batch_expired", "batch_expired", "batch_expired"]);
});

test("an input file that is deleted meanwhile fails the batch", async () => {
  upstream.follow({ always: { isHeld: true, images: "tiny" } });
  const id = await client.create(imageLines(5, "image"), "/v1/images/generations");
  await expect.poll(() => upstream.seen().inFlight).toBe(2);

  await client.openai.files.delete((await client.retrieve(id)).input_file_id);
  upstream.follow({ always: { images: "tiny" } });

  const batch = await client.untilEnded(id);
  expect(batch.status).toBe("failed");
  expect(batch.errors?.data).toMatchObject([{ code: "file_not_found", param: "input_file_id" }]);
});

describe("fairness", () => {
  test("a key with many lines does not keep another key's waiting", async () => {
    const [many, few] = [await admin.createKey({ name: "many" }), await admin.createKey({ name: "few" })];
    upstream.follow({ always: { isHeld: true, images: "tiny" } });
    const crowd = new BatchClient(gateway.url, many.value);
    const first = await crowd.create(imageLines(30, "image", { user: "many" }), "/v1/images/generations");
    await expect.poll(() => upstream.seen().inFlight).toBe(2);

    const small = new BatchClient(gateway.url, few.value);
    const second = await small.create(imageLines(3, "image", { user: "few" }), "/v1/images/generations");
    await expect.poll(async () => (await small.retrieve(second)).status).toBe("in_progress");
    upstream.follow({ always: { images: "tiny", delayMs: 20 } });

    await small.untilEnded(second);
    await crowd.untilEnded(first);
    const order = upstream.received.map(({ body }) => body.user);
    // Two of the first key were running. From then on, the keys take turns.
    expect(order.lastIndexOf("few")).toBeLessThan(10);
    expect(order.filter((user) => user === "many")).toHaveLength(30);
  });

  test("interactive requests go before the lines of a batch", async () => {
    await gateway.reload(`
logLevel: warn
batches: { concurrency: 2 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text, maxConcurrency: 1, bulkMaxInputs: 4 }] }
`);
    upstream.follow({ always: { isHeld: true, width: 8 } });
    const id = await client.create(embeddingLines(60, "text", "bulk"));
    await expect.poll(() => upstream.seen().inFlight).toBe(1);

    const live = [1, 2, 3].map((number) =>
      gateway.sendJson("/v1/embeddings", { model: "text", input: `live ${number}` }),
    );
    await expect.poll(() => gateway.inFlight()).toBeGreaterThanOrEqual(3);
    upstream.follow({ always: { width: 8, delayMs: 10 } });

    expect((await Promise.all(live)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const batch = await client.untilEnded(id);
    expect(batch.request_counts).toMatchObject({ completed: 60 });
    const order = upstream.received.map(({ body }) => JSON.stringify(body.input).includes("live"));
    expect(order.lastIndexOf(true)).toBeLessThan(6);
  });
});
