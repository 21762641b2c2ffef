import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { BatchClient, batchLine, embeddingLines } from "../../gateway/batch-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

let upstream: FakeUpstream;
let gateway: InProcessGateway;
let admin: AdminClient;

beforeEach(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 100, images: "tiny" } } });
  gateway = await start("files: { keyBytesMax: 2000000, storeBytesMax: 4000000 }");
});
afterEach(async () => {
  await gateway.stop();
  await upstream.close();
});

async function start(files: string): Promise<InProcessGateway> {
  const started = await startGateway(`
logLevel: warn
batches: { concurrency: 1, linesMax: 1000 }
${files}
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 100, targets: [{ upstream: fake, model: text }] }
  narrow: { type: embedding, targets: [{ upstream: fake, model: narrow }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
`);
  admin = new AdminClient(started.url);
  return started;
}

async function callerOf(name: string): Promise<BatchClient> {
  const { value } = await admin.createKey({ name });
  return new BatchClient(gateway.url, value);
}

describe("the space for results", () => {
  test("is reserved with the batch: more are refused, with the number, until it has ended", async () => {
    const caller = await callerOf("greedy");
    upstream.follow({ always: { isHeld: true, width: 100 } });
    const first = await caller.create(embeddingLines(500, "text"));

    const second = caller.create(embeddingLines(500, "text"));

    await expect(second).rejects.toMatchObject({
      status: 403,
      code: "file_quota_exceeded",
      param: "input_file_id",
      message: expect.stringMatching(/may have 1[45]\d{5} bytes\. .* would exceed 2000000 bytes/),
    });
    upstream.follow({ always: { width: 100 } });
    const batch = await caller.untilEnded(first);
    expect(batch.request_counts).toEqual({ total: 500, completed: 500, failed: 0 });
    // The file is smaller than what was reserved for it.
    await caller.openai.files.delete(batch.output_file_id ?? "");
    await caller.run(embeddingLines(500, "text"));
  });

  test("is free again when a batch was cancelled", async () => {
    const caller = await callerOf("hasty");
    upstream.follow({ always: { isHeld: true, width: 100 } });
    const id = await caller.create(embeddingLines(500, "text"));
    await expect.poll(() => upstream.seen().inFlight).toBeGreaterThan(0);
    await caller.openai.batches.cancel(id);
    upstream.follow({ always: { width: 100 } });

    const batch = await caller.untilEnded(id);

    expect(batch.status).toBe("cancelled");
    expect(batch.request_counts.completed).toBe(256);
    expect(await caller.linesOf(batch.error_file_id)).toHaveLength(244);
    await caller.create(embeddingLines(300, "text"));
  });

  test("of a greedy key leaves room for a key that has nothing", async () => {
    upstream.follow({ always: { isHeld: true, width: 100 } });
    for (const name of ["one", "two", "three"]) {
      const caller = await callerOf(name);
      await caller.create(embeddingLines(500, "text")).catch(() => undefined);
      await caller.create(embeddingLines(150, "text")).catch(() => undefined);
    }

    const modest = await callerOf("modest");
    const id = await modest.create(embeddingLines(10, "text"));

    upstream.follow({ always: { width: 100 } });
    expect((await modest.untilEnded(id)).status).toBe("completed");
  });

  test("that was estimated too small ends the batch when it is used up, and keeps what has run", async () => {
    // The model says nothing of its width, so the estimate is that of 1536 numbers.
    upstream.follow({ always: { width: 3000 } });
    await gateway.stop();
    gateway = await start("files: { keyBytesMax: 12000000 }");
    const caller = await callerOf("surprised");

    const batch = await caller.run(embeddingLines(300, "narrow"));

    expect(batch).toMatchObject({
      status: "failed",
      request_counts: { total: 300, completed: 256, failed: 44 },
    });
    expect(batch.errors?.data).toMatchObject([{ code: "file_quota_exceeded", line: null }]);
    expect(await caller.linesOf(batch.output_file_id)).toHaveLength(256);
    const errors = await caller.linesOf(batch.error_file_id);
    expect(errors.map(({ error }) => error?.code)).toEqual(Array(44).fill("batch_failed"));
  });
});

describe("a file that was refused", () => {
  test("is not accepted again at the same endpoint", async () => {
    const caller = await callerOf("careless");
    const lines = [batchLine("a", { model: "text", input: "a" }), { custom_id: "b" }];
    const id = await caller.create(lines);
    const batch = await caller.untilEnded(id);
    expect(batch.status).toBe("failed");
    const request = {
      input_file_id: batch.input_file_id,
      endpoint: "/v1/embeddings",
      completion_window: "24h",
    } as const;

    await expect(caller.openai.batches.create(request)).rejects.toMatchObject({
      status: 400,
      param: "input_file_id",
      message: expect.stringContaining("has the fault 'missing_required_parameter' in line 2"),
    });
  });

  test("for its model may be valid for another key, or later", async () => {
    const { value } = await admin.createKey({ name: "narrow", models: ["narrow"] });
    const caller = new BatchClient(gateway.url, value);
    const batch = await caller.run(embeddingLines(2, "text"));
    expect(batch.errors?.data[0]?.code).toBe("model_not_allowed");

    const again = await caller.openai.batches.create({
      input_file_id: batch.input_file_id,
      endpoint: "/v1/embeddings",
      completion_window: "24h",
    });

    expect((await caller.untilEnded(again.id)).errors?.data[0]?.code).toBe("model_not_allowed");
  });
});
