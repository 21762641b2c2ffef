import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { BatchClient, embeddingLines } from "../../gateway/batch-client.js";
import { type BuiltGateway, GatewayFolder } from "../../gateway/built.js";
import { testKey } from "../../gateway/test-gateway.js";
import { describeServed, type OpenStage, openServers } from "../../servers/stages.js";

type Job = Schemas["Job"];
const prefer = { prefer: "respond-async" };

describeServed("two gateways on one database, each with files on its own disk", () => {
  let servers: OpenStage;
  let upstream: FakeUpstream;
  let homes: readonly [GatewayFolder, GatewayFolder];
  let one: BuiltGateway;
  let two: BuiltGateway;

  beforeEach(async () => {
    servers = await openServers();
    upstream = await startFakeUpstream({ script: { always: { width: 8 } } });
    homes = [createHome("one"), createHome("two")];
    [one, two] = await Promise.all([homes[0].start(), homes[1].start()]);
  });
  afterEach(async () => {
    upstream.follow({});
    await Promise.all(homes.map((home) => home.remove()));
    await upstream.close();
    await servers.close();
  });

  function createHome(name: string): GatewayFolder {
    return new GatewayFolder(
      `
logLevel: warn
keys: [{ name: tester, key: ${testKey} }]
jobs: { concurrency: 1 }
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}", headers: { x-replica: ${name} } } }
models:
  text: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: text }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
`,
      servers.environment,
    );
  }

  test("only the one that has the images of a job runs it, after a restart as well", async () => {
    // The first job occupies one gateway. The other one takes whatever it may.
    upstream.follow({ always: { isHeld: true } });
    await create(one, { prompt: "first", response_format: "url" });
    await expect.poll(() => callers("first")).toEqual(["one"]);
    const image_url = `data:image/png;base64,${tinyPng.toString("base64")}`;
    const edit = await create(one, { prompt: "edit", images: [{ image_url }] }, "/v1/images/edits");
    const linked = await create(one, { prompt: "linked", response_format: "url" });
    const free = await create(one, { prompt: "free" });

    await expect.poll(() => callers("free"), { timeout: 60_000 }).toEqual(["two"]);
    await one.kill();
    upstream.follow({});
    expect(await untilEnded(two, free.id)).toMatchObject({ status: "completed" });
    expect(await look(two, edit.id)).toMatchObject({ status: "queued" });
    one = await homes[0].start();

    const ended = await Promise.all([edit, linked].map(({ id }) => untilEnded(two, id)));

    expect(ended.map(({ status, error }) => [status, error])).toEqual([
      ["completed", null],
      ["completed", null],
    ]);
    expect([callers("edit"), callers("linked")]).toEqual([["one"], ["one"]]);
  }, 180_000);

  test("a batch runs where its file is, whichever gateway creates it", async () => {
    const [client, other] = [new BatchClient(one.url), new BatchClient(two.url)];
    const text = embeddingLines(3, "text")
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
    const file = await client.openai.files.create({ file: new File([text], "in.jsonl"), purpose: "batch" });

    const request = { endpoint: "/v1/embeddings", completion_window: "24h" } as const;
    const batch = await other.openai.batches.create({ ...request, input_file_id: file.id });
    const ended = await other.untilEnded(batch.id);

    expect(ended).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 3 } });
    expect(await client.linesOf(ended.output_file_id ?? null)).toHaveLength(3);
    expect(new Set(upstream.received.map(({ headers }) => headers["x-replica"]))).toEqual(new Set(["one"]));
    const elsewhere = await two.send(`/v1/files/${ended.output_file_id}/content`);
    expect(elsewhere.status).toBe(503);
    expect(await elsewhere.json()).toMatchObject({
      error: {
        code: "file_store_unavailable",
        message: expect.stringContaining("on the disk of another gateway"),
      },
    });
    await other.openai.files.delete(file.id);
    expect((await one.send(`/v1/files/${file.id}/content`)).status).toBe(404);
  }, 180_000);

  /** The gateways that have called the upstream with a prompt. */
  function callers(prompt: string): unknown[] {
    return upstream.received.flatMap(({ body, headers }) =>
      body.prompt === prompt ? [headers["x-replica"]] : [],
    );
  }
});

async function create(gateway: BuiltGateway, body: object, path = "/v1/images/generations"): Promise<Job> {
  const response = await gateway.sendJson(path, { model: "image", ...body }, { headers: prefer });
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as Job;
}

async function look(gateway: BuiltGateway, id: string, headers = {}): Promise<Job> {
  return (await (await gateway.send(`/v1/jobs/${id}`, { headers })).json()) as Job;
}

async function untilEnded(gateway: BuiltGateway, id: string): Promise<Job> {
  for (;;) {
    const job = await look(gateway, id, { prefer: "wait=60" });
    if (job.status !== "queued" && job.status !== "in_progress") return job;
  }
}
