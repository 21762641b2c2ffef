import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../../gateway/admin-client.js";
import { BatchClient, embeddingLines, imageLines } from "../../../gateway/batch-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let client: BatchClient;
beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 8, images: "tiny" } } });
  gateway = await startGateway(`
logLevel: warn
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, price: { perMillionTokens: 1 }, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, price: { perImage: 0.01 }, targets: [{ upstream: fake, model: image }] }
`);
  client = new BatchClient(gateway.url);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

test("5,000 embedding lines run from upload to download, in at most 60 upstream calls", async () => {
  const lines = embeddingLines(5000, "text");
  const before = upstream.seen().requests;

  const batch = await client.run(lines);

  expect(batch).toMatchObject({
    status: "completed",
    model: "text",
    request_counts: { total: 5000, completed: 5000, failed: 0 },
    error_file_id: null,
  });
  const calls = upstream.seen().requests - before;
  console.info(`5,000 lines took ${calls} upstream calls.`);
  expect(calls).toBeLessThanOrEqual(60);

  const output = await client.linesOf(batch.output_file_id);
  expect(new Set(output.map(({ custom_id }) => custom_id)).size).toBe(5000);
  expect(output.every(({ response, error }) => response?.status_code === 200 && error === null)).toBe(true);
  // The vectors are those of the texts, and not of their neighbours.
  const direct = new Map<string, unknown>();
  for (const at of [0, 777, 4999]) {
    const { data } = await client.openai.embeddings.create({
      model: "text",
      input: `text ${at} of row`,
      encoding_format: "float",
    });
    direct.set(`row-${at}`, data[0]?.embedding);
  }
  for (const [id, embedding] of direct)
    expect(output.find(({ custom_id }) => custom_id === id)?.response?.body.data[0].embedding).toEqual(
      embedding,
    );

  // Each line has one row in the ledger, with the id of its output line.
  const admin = new AdminClient(gateway.url);
  await admin.untilShipped();
  const totals = await usageOf(batch.id);
  const tokens = output.reduce((sum, { response }) => sum + response?.body.usage.prompt_tokens, 0);
  expect(totals).toMatchObject([
    { batch_id: batch.id, requests: 5000, failed_requests: 0, input_tokens: tokens },
  ]);
  expect(batch.usage.total_tokens).toBe(tokens);
  const row = await gateway.send(`/v1/key/requests/${output[0]?.response?.request_id}`);
  expect(await row.json()).toMatchObject({ batch_id: batch.id, status: 200, model: "text" });
});

test("20 image lines run, each image once", async () => {
  const batch = await client.run(imageLines(20, "image"), "/v1/images/generations");

  expect(batch).toMatchObject({
    status: "completed",
    request_counts: { total: 20, completed: 20, failed: 0 },
  });
  const output = await client.linesOf(batch.output_file_id);
  for (const { response } of output) expect(response?.body.data[0].b64_json).toMatch(/^[A-Za-z0-9+/=]+$/);
  const bought = upstream.received.flatMap(({ path, body }) =>
    path.endsWith("/generations") ? [body.prompt] : [],
  );
  expect([...bought].sort()).toEqual(Array.from({ length: 20 }, (_, index) => `image-${index}`).sort());
  await new AdminClient(gateway.url).untilShipped();
  expect(await usageOf(batch.id)).toMatchObject([
    { requests: 20, images: 20, cost_usd: expect.closeTo(0.2) },
  ]);
});

test("a batch that was cancelled, and those of the key, are found with the client's methods", async () => {
  const id = await client.create(embeddingLines(3, "no-such-model"));
  await client.untilEnded(id);

  const listed: string[] = [];
  for await (const batch of client.openai.batches.list({ limit: 1 })) listed.push(batch.id);

  expect(listed[0]).toBe(id);
  expect(listed).toHaveLength(3);
  await expect(client.openai.batches.cancel(id)).rejects.toMatchObject({ status: 409, code: "batch_ended" });
});

async function usageOf(batchId: string): Promise<unknown> {
  const response = await gateway.send(`/v1/key/usage?group_by=batch&batch=${batchId}`);
  return ((await response.json()) as { data: unknown }).data;
}
