import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Schemas } from "@model-gateway/domain/operations";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { AdminClient } from "../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

type Job = Schemas["Job"];

const b64_json = tinyPng.toString("base64");
const usage = {
  input_tokens: 10,
  input_tokens_details: { text_tokens: 10, image_tokens: 0 },
  output_tokens: 1200,
  total_tokens: 1210,
};
/** The body of each call, and its open response. */
let calls: { readonly body: Record<string, unknown>; readonly response: ServerResponse }[];
let upstream: Server;
let gateway: InProcessGateway;

beforeEach(async () => {
  calls = [];
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (body.stream === true) response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    else
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ created: 1, data: [{ b64_json }], usage, quality: "high", size: "1x1" }));
    calls.push({ body, response });
  });
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  const { port } = upstream.address() as AddressInfo;
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1" } }
models:
  m: { type: image, profile: gpt-image, price: { perMillionInputTokens: 5, perMillionOutputTokens: 40 }, targets: [{ upstream: fake, model: m }] }
  plain: { type: image, profile: dall-e, targets: [{ upstream: fake, model: plain }] }`);
});
afterEach(async () => {
  for (const { response } of calls) response.destroy();
  await gateway.stop();
  upstream.closeAllConnections();
  upstream.close();
});

test("the latest partial image is the progress of a running job, and its response is that of the request", async () => {
  const { id, request_id } = await create({ partial_images: 2 });
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toMatchObject({ stream: true, partial_images: 2 });
  expect((await look(id)).progress).toBeUndefined();

  write("image_generation.partial_image", { created_at: 7, partial_image_index: 0 });
  await expect.poll(async () => (await look(id)).progress?.partial_images).toBe(1);
  write("image_generation.partial_image", { created_at: 8, partial_image_index: 1 });
  await expect
    .poll(async () => (await look(id)).progress)
    .toEqual({
      partial_images: 2,
      partial_image: { created_at: 8, b64_json, output_format: "png", size: "1x1" },
    });
  expect((await list())[0]).not.toHaveProperty("progress");
  write("image_generation.completed", { created_at: 9, usage, quality: "high" });

  const finished = await wait(id);
  const direct = await gateway.sendJson("/v1/images/generations", { model: "m", prompt: "a fox" });
  const { created, ...response } = finished.response ?? { created: 0, data: [] };
  const { created: _created, ...expected } = (await direct.json()) as Schemas["ImagesResponse"];
  expect([finished.status, created, response]).toEqual(["completed", 9, expected]);
  expect(finished).not.toHaveProperty("progress");
  const rows = await new AdminClient(gateway.url).rowsOnce(2);
  const row = rows.find((one) => one.id === request_id);
  const other = rows.find((one) => one.id !== request_id);
  expect(row).toMatchObject({ id: request_id, images: 1, output_tokens: 1200, cost_usd: other?.cost_usd });
});

test("a stream that breaks off after a partial image fails the job, and nothing is bought again", async () => {
  const { id } = await create({ partial_images: 1 });
  await expect.poll(() => calls.length).toBe(1);
  write("image_generation.partial_image", { partial_image_index: 0 });
  await expect.poll(async () => (await look(id)).progress?.partial_images).toBe(1);

  calls[0]?.response.destroy();

  const failed = await wait(id);
  expect([failed.status, failed.error?.message]).toEqual([
    "failed",
    expect.stringContaining("Whether the images were created is not known."),
  ]);
  expect(failed).not.toHaveProperty("progress");
  expect(calls).toHaveLength(1);
});

test.each([
  ["without partial_images", { model: "m" }],
  ["of a model that does not stream", { model: "plain", partial_images: 2 }],
])("a job %s has no progress, and asks for no stream", async (_name, body) => {
  const { id } = await create(body);

  expect(await wait(id)).toMatchObject({ status: "completed" });
  expect(calls.map((call) => [call.body.stream, call.body.partial_images])).toEqual([[undefined, undefined]]);
});

/** Writes an event into the stream of the first call. */
function write(type: string, fields: object): void {
  calls[0]?.response.write(`event: ${type}\ndata: ${JSON.stringify({ type, b64_json, ...fields })}\n\n`);
}

async function create(body: object): Promise<Job> {
  const headers = { prefer: "respond-async" };
  const response = await gateway.sendJson(
    "/v1/images/generations",
    { model: "m", prompt: "a fox", ...body },
    { headers },
  );
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as Job;
}

async function look(id: string): Promise<Job> {
  return (await (await gateway.send(`/v1/jobs/${id}`)).json()) as Job;
}

async function wait(id: string): Promise<Job> {
  return (await (await gateway.send(`/v1/jobs/${id}`, { headers: { prefer: "wait=60" } })).json()) as Job;
}

async function list(): Promise<readonly Job[]> {
  return ((await (await gateway.send("/v1/jobs")).json()) as Schemas["JobList"]).data;
}
