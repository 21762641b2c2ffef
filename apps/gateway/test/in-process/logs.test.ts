import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { tinyPng } from "../fake-upstream/sample-images.mjs";
import { vectorOf } from "../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";
import { sendRaw } from "../gateway/raw-request.js";
import { testAdminKey, testKey } from "../gateway/test-gateway.js";

const upstreamKey = "sk-upstream-0123456789abcdef";
const unknownKey = "sk-unknown-0123456789";
const prompt = "the-secret-prompt of a fox";
const input = "the-secret-input of a cat";
const image = tinyPng.toString("base64");
const form = { "content-type": "multipart/form-data; boundary=b" };

let fake: FakeUpstream;
let echo: Server;
let gateway: InProcessGateway;

beforeAll(async () => {
  fake = await startFakeUpstream();
  echo = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    // The gateway may have left before its request was read.
    echoBack(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  const echoes = echoModels.flatMap((model) => [
    `  text-${model}: { type: embedding, targets: [{ upstream: echo, model: ${model} }] }`,
    `  image-${model}: { type: image, profile: gpt-image, targets: [{ upstream: echo, model: ${model} }] }`,
  ]);
  gateway = await startGateway(`
logLevel: debug
limits: { jsonBytesMax: 100000, fileBytesMax: 100000 }
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${fake.baseUrl}", apiKey: ${upstreamKey} }
  slow: { provider: openai-compatible, baseUrl: "${fake.baseUrl}", apiKey: ${upstreamKey}, timeoutMs: 300 }
  echo: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}", apiKey: ${upstreamKey} }
models:
  good: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] }
  stall: { type: embedding, targets: [{ upstream: fake, model: stall }] }
  timeout: { type: embedding, targets: [{ upstream: slow, model: stall }] }
  cut: { type: embedding, targets: [{ upstream: fake, model: cut }] }
  image: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: image }] }
  no-images: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: no-images }] }
  stream-error: { type: image, profile: gpt-image, targets: [{ upstream: fake, model: stream-error }] }
${echoes.join("\n")}
`);
});
afterAll(async () => {
  await gateway.stop();
  await fake.close();
  echo.close();
  echo.closeAllConnections();
});

test("a request is one line with its id, operation, model, upstream, status, time and sizes", async () => {
  gateway.logLines.length = 0;

  const response = await gateway.sendJson(
    "/v1/embeddings?api-version=1",
    { model: "good", input },
    { headers: { "x-client-request-id": 'mine-1\u00e9"' } },
  );
  const responseBytes = (await response.arrayBuffer()).byteLength;

  await expect.poll(() => gateway.logLines).toHaveLength(1);
  expect(JSON.parse(gateway.logLines[0]!)).toEqual({
    level: "info",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    msg: "request",
    id: response.headers.get("x-request-id"),
    clientRequestId: 'mine-1\u00e9"',
    caller: "config:tester",
    callerName: "tester",
    method: "POST",
    operation: "createEmbedding",
    model: "good",
    attempts: 1,
    upstream: "fake",
    status: 200,
    ms: expect.any(Number),
    requestBytes: JSON.stringify({ model: "good", input }).length,
    responseBytes: responseBytes,
  });
});

test("a probe is logged for debugging, and one that fails like any request", async () => {
  gateway.logLines.length = 0;

  for (const path of ["/healthz", "/readyz", "/metrics"]) await gateway.send(path);
  await gateway.send("/metrics", { headers: { authorization: `Bearer ${testAdminKey}` } });

  await expect.poll(() => gateway.logLines).toHaveLength(4);
  const logged = gateway.logLines.map((line) => JSON.parse(line));
  expect(logged.map(({ level, operation, status }) => ({ level, operation, status }))).toEqual([
    { level: "debug", operation: "checkHealth", status: 200 },
    { level: "debug", operation: "checkReadiness", status: 200 },
    { level: "info", operation: "readMetrics", status: 403 },
    { level: "debug", operation: "readMetrics", status: 200 },
  ]);
});

test("a failure is logged with its code, and a caller that left with 499", async () => {
  gateway.logLines.length = 0;

  await gateway.sendJson("/v1/embeddings", { model: "nope", input });
  await gateway.sendJson(
    "/v1/embeddings",
    { model: "good", input },
    { headers: { authorization: "Bearer wrong" } },
  );
  const leaving = new AbortController();
  const left = gateway
    .sendJson("/v1/embeddings", { model: "stall", input }, { signal: leaving.signal })
    .catch(() => undefined);
  await expect.poll(() => fake.seen().inFlight).toBe(1);
  leaving.abort();
  await left;

  await expect.poll(() => gateway.logLines).toHaveLength(3);
  const logged = gateway.logLines
    .map((line) => JSON.parse(line))
    .map(({ status, errorCode, caller }) => ({ status, errorCode, caller }));
  expect(logged).toEqual([
    { status: 404, errorCode: "model_not_found", caller: "config:tester" },
    { status: 401, errorCode: "invalid_api_key", caller: undefined },
    { status: 499, errorCode: "caller_left", caller: "config:tester" },
  ]);
});

test("no line has a key, a prompt, an input, a vector or an image in it, whatever happens", async () => {
  gateway.logLines.length = 0;
  const requests = everyRequest();

  const statuses = await Promise.all(requests.map((send) => send()));

  const lines = () => gateway.logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
  await expect.poll(() => lines().length).toBe(requests.length);
  const log = gateway.logLines.join("");
  const vectors = [input, [input, input]].flat().flatMap((text) => {
    const numbers = vectorOf(text, 8);
    return [numbers.slice(0, 2).join(","), Buffer.from(Float32Array.from(numbers).buffer).toString("base64")];
  });
  const secrets = [
    testKey,
    upstreamKey,
    unknownKey,
    "secret-prompt",
    "secret-input",
    ...vectors,
    image.slice(0, 24),
    "IHDR",
    "0.123456",
  ];
  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  expect(new Set(statuses)).toEqual(new Set([200, 400, 401, 404, 405, 413, 415, 429, 502, 503, 504]));
});

/** Every operation, with success and with every failure that is logged differently. */
function everyRequest(): (() => Promise<number>)[] {
  const json = (path: string, body: unknown, init?: RequestInit) => async () => {
    const response = await gateway.sendJson(path, body, init);
    await response.arrayBuffer();
    return response.status;
  };
  const get = (path: string, init?: RequestInit) => async () => (await gateway.send(path, init)).status;
  const edit = { prompt, images: [{ image_url: `data:image/png;base64,${image}` }] };
  const wrongKey = { headers: { authorization: `Bearer ${unknownKey}` } };
  return [
    get("/healthz"),
    get("/readyz"),
    get("/v1/models"),
    get("/v1/models/good"),
    get(`/v1/models/${encodeURIComponent(input)}`),
    get(`/nowhere/${prompt}?key=${testKey}`),
    get(`/v1/embeddings?key=${testKey}`),
    json("/v1/embeddings", { model: "good", input }),
    json("/v1/embeddings", { model: "good", input: [input, input], encoding_format: "base64" }),
    json("/v1/engines/good/embeddings", { input }),
    json("/v1/images/generations", { model: "image", prompt }),
    json("/v1/images/generations", { model: "image", prompt, stream: true, partial_images: 1 }),
    json("/v1/images/edits", { model: "image", ...edit }),
    postForm("image"),
    json("/v1/embeddings", { model: "good", input }, wrongKey),
    json(
      "/v1/embeddings",
      { model: "good", input },
      { headers: { authorization: "", "api-key": unknownKey } },
    ),
    json("/v1/embeddings", { model: "good", input, [prompt]: prompt }),
    json("/v1/embeddings", { model: "good", input: [input, 1] }),
    json("/v1/embeddings", { model: input, input }),
    json("/v1/embeddings", { model: "good", input, encoding_format: prompt }),
    json("/v1/embeddings", { model: "good", input: input.repeat(10_000) }),
    json("/v1/images/generations", { model: "image", prompt, size: prompt }),
    json("/v1/images/generations", { model: "no-images", prompt }),
    json("/v1/images/generations", { model: "stream-error", prompt, stream: true }),
    json("/v1/images/edits", { model: "image", prompt, images: [{ image_url: prompt }] }),
    json("/v1/embeddings", { model: "timeout", input }),
    json("/v1/embeddings", { model: "cut", input }),
    async () => (await gateway.send("/v1/embeddings", { method: "POST", body: input })).status,
    async () =>
      (
        await sendRaw(
          Number(new URL(gateway.url).port),
          `POST /v1/images/edits HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${testKey}\r\ncontent-type: ${form["content-type"]}\r\ncontent-length: ${prompt.length}\r\n\r\n${prompt}`,
        )
      )?.status ?? 0,
    ...echoModels.flatMap((model) => [
      json("/v1/embeddings", { model: `text-${model}`, input }),
      json("/v1/images/generations", { model: `image-${model}`, prompt }),
      json("/v1/images/generations", { model: `image-${model}`, prompt, stream: true }),
      json("/v1/images/edits", { model: `image-${model}`, ...edit }),
      postForm(`image-${model}`),
    ]),
  ];
}

function postForm(model: string): () => Promise<number> {
  return async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ model, prompt })) body.append(name, value);
    body.append("image", new Blob([new Uint8Array(tinyPng)]), `${prompt}.png`);
    const response = await gateway.send("/v1/images/edits", { method: "POST", body });
    await response.arrayBuffer();
    return response.status;
  };
}

/** Upstreams that quote back everything they were sent: as an error, as a broken response, as an event, as noise. */
const echoStatuses = [400, 401, 402, 403, 404, 413, 422, 429, 500, 503, 504];
const echoModels = [
  ...echoStatuses.map((status) => `status-${status}`),
  "code",
  "text",
  "half",
  "event",
  "event-code",
  "noise",
];

async function echoBack(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("latin1");
  const model =
    echoModels.find((name) => body.includes(`"${name}"`) || body.includes(`\r\n\r\n${name}\r\n`)) ?? "";
  const message = `You sent ${request.headers.authorization} and ${body} and I made 0.123456,0.654321 of it.`;
  const status = Number(/^status-(\d+)$/.exec(model)?.[1] ?? 0);
  if (status > 0)
    return answerJson(response, status, { error: { message, type: message, code: message, param: message } });
  if (model === "code")
    return answerJson(response, 400, { error: { message, code: "internal_error", param: message } });
  if (model === "text") return void response.writeHead(500, { "content-type": "text/plain" }).end(message);
  if (model === "noise") return void response.socket?.end(message);
  if (model === "half")
    return void response
      .writeHead(200, { "content-type": "application/json" })
      .end(`[0.123456,"${prompt}" ${message}`);
  const code = model === "event-code" ? "internal_error" : message;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(`data: ${JSON.stringify({ type: "error", error: { message, code, param: message } })}\n\n`);
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
