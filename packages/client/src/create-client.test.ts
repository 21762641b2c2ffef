import { expect, test } from "vitest";
import { readBody, readForm, respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import type { ImageLink } from "./images/image-link.js";
import { unwrap } from "./responses/result.js";

const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const embeddings = { object: "list", data: [], model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } };
const path = "/v1/images/files/a.png?expires=1787153686&signature=8sWp-_3r";
const images = { created: 1, data: [{ b64_json: "AA==" }] };

test("createEmbedding posts the body with the key and returns the response with its request id", async () => {
  const { baseUrl, seen } = await record(embeddings);
  const client = createClient({ baseUrl, apiKey: "secret" });

  const result = await client.createEmbedding({ model: "m", input: ["a", "b"] });

  expect(result).toMatchObject({ ok: true, data: embeddings, requestId: "req_1" });
  expect(seen).toMatchObject([
    {
      line: "POST /v1/embeddings",
      headers: { authorization: "Bearer secret", "content-type": "application/json" },
      body: '{"model":"m","input":["a","b"]}',
    },
  ]);
});

test("createEmbeddingLegacy percent-encodes the model in the path", async () => {
  const { baseUrl, seen } = await record(embeddings);

  const result = await createClient({ baseUrl }).createEmbeddingLegacy("org/m x", { input: "a" });

  expect(result.ok).toBe(true);
  expect(seen).toMatchObject([{ line: "POST /v1/engines/org%2Fm%20x/embeddings", body: '{"input":"a"}' }]);
});

test("createImage posts the body", async () => {
  const { baseUrl, seen } = await record(images);

  const result = await createClient({ baseUrl }).createImage({ model: "m", prompt: "a fox" });

  expect(result).toMatchObject({ ok: true, data: images });
  expect(seen).toMatchObject([
    { line: "POST /v1/images/generations", body: '{"model":"m","prompt":"a fox"}' },
  ]);
});

test("createImageEdit sends files as a form", async () => {
  const parts: [string, string][] = [];
  const baseUrl = await serve(async (request, response) => {
    for (const [name, part] of await readForm(request)) {
      parts.push([name, typeof part === "string" ? part : `${part.name} ${part.type} ${part.size}`]);
    }
    respond(response, 200, images);
  });

  const result = await createClient({ baseUrl }).createImageEdit({
    model: "m",
    prompt: "ü",
    image: [png, png],
  });

  expect(result.ok).toBe(true);
  expect(parts).toEqual([
    ["model", "m"],
    ["prompt", "ü"],
    ["image[]", "image-1.png image/png 8"],
    ["image[]", "image-2.png image/png 8"],
  ]);
});

test("createImageEdit sends data URLs as JSON", async () => {
  const { baseUrl, seen } = await record(images);
  const edit = { model: "m", prompt: "p", images: [{ image_url: "data:image/png;base64,iVBORw0KGgo=" }] };

  const result = await createClient({ baseUrl }).createImageEdit(edit);

  expect(result.ok).toBe(true);
  expect(seen).toMatchObject([
    {
      line: "POST /v1/images/edits",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(edit),
    },
  ]);
});

test.each<{ name: string; link: (baseUrl: string) => ImageLink }>([
  { name: "a whole URL", link: (baseUrl) => `${baseUrl}${path}` },
  { name: "a URL without its origin", link: () => path },
  { name: "its parts", link: () => ({ file: "a.png", expires: "1787153686", signature: "8sWp-_3r" }) },
])(
  "retrieveImageFile takes $name, and sends neither the key nor the headers of the client",
  async ({ link }) => {
    const seen: { line: string; names: string[] }[] = [];
    const baseUrl = await serve((request, response) => {
      seen.push({ line: `${request.method} ${request.url}`, names: Object.keys(request.headers) });
      response.writeHead(200, { "content-type": "image/png", "x-request-id": "req_1" }).end(png);
    });
    const client = createClient({ baseUrl, apiKey: "secret", headers: { "x-tenant": "t", "api-key": "k" } });

    const result = await client.retrieveImageFile(link(baseUrl), { headers: { "x-call": "1" } });

    expect(result).toMatchObject({ ok: true, requestId: "req_1", data: { type: "image/png", size: 8 } });
    expect(Buffer.from(await unwrap(result).arrayBuffer())).toEqual(png);
    expect(seen.map(({ line }) => line)).toEqual([`GET ${path}`]);
    const given = ["authorization", "api-key", "x-tenant", "x-call"];
    expect(given.filter((name) => seen[0]?.names.includes(name))).toEqual(["x-call"]);
  },
);

test("retrieveImageFile requests a range when a header says so", async () => {
  const baseUrl = await serve((request, response) => {
    response.writeHead(request.headers.range === "bytes=0-3" ? 206 : 200, { "content-type": "image/png" });
    response.end(png.subarray(0, 4));
  });

  const result = await createClient({ baseUrl }).retrieveImageFile(path, { headers: { range: "bytes=0-3" } });

  expect(result).toMatchObject({ ok: true, response: { status: 206 }, data: { size: 4 } });
});

test("retrieveImageFile uses the fetch of the client", async () => {
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    asked.push(request.url);
    return new Response(png, { headers: { "content-type": "image/webp" } });
  };

  const result = await createClient({ baseUrl: "https://gateway.example/", fetch }).retrieveImageFile(path);

  expect(result.ok).toBe(true);
  expect(asked).toEqual([`https://gateway.example${path}`]);
});

test.each(["", "fox.png", "file:///etc/passwd", "data:image/png;base64,AA=="])(
  "retrieveImageFile refuses %j, which is not a link",
  async (link) => {
    const client = createClient({ baseUrl: "http://127.0.0.1:1" });

    await expect(client.retrieveImageFile(link)).rejects.toThrow("An image link must be");
  },
);

test("options with a separate header are sent as that header, and headers of the call win over them", async () => {
  const { baseUrl, seen } = await record(images);
  const client = createClient({ baseUrl });
  const request = { model: "m", prompt: "p" };
  const headers = { "Idempotency-Key": "theirs" };

  await client.createImage(request, { idempotencyKey: "order-1", allowPartial: true });
  await client.createImageEdit(
    { ...request, image: png },
    { idempotencyKey: "order-2", allowPartial: false },
  );
  await client.createImageStream(request, { idempotencyKey: "order-3" });
  await client.createImage(request, { idempotencyKey: "ours", headers });
  await client.createEmbedding({ model: "m", input: "a" }, { cache: "no-store" });

  expect(
    seen.map(({ headers: sent }) => [
      sent["idempotency-key"],
      sent["x-gateway-partial"],
      sent["cache-control"],
    ]),
  ).toEqual([
    ["order-1", "allow", undefined],
    ["order-2", undefined, undefined],
    ["order-3", undefined, undefined],
    ["theirs", undefined, undefined],
    [undefined, undefined, "no-store"],
  ]);
});

test("listModels and checkHealth need no body", async () => {
  const { baseUrl, seen } = await record({ object: "list", data: [], status: "ok" });
  const client = createClient({ baseUrl });

  const results = [await client.listModels(), await client.checkHealth()];

  expect(results.map(({ ok }) => ok)).toEqual([true, true]);
  expect(seen.map(({ line }) => line)).toEqual(["GET /v1/models", "GET /healthz"]);
});

test("retrieveModel percent-encodes the model, and does not accept a list as a model", async () => {
  const { baseUrl, seen } = await record({ object: "list", data: [] });

  const result = await createClient({ baseUrl }).retrieveModel("org/m");

  expect(seen).toMatchObject([{ line: "GET /v1/models/org%2Fm" }]);
  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_response" } });
});

test("a call's headers replace those of the client, which replace the key", async () => {
  const { baseUrl, seen } = await record({ object: "list", data: [] });
  const client = createClient({
    baseUrl,
    apiKey: "k",
    headers: { Authorization: "Custom", "x-a": "1", "x-b": "1" },
  });

  await client.listModels({ headers: { "X-B": "2" } });

  expect(seen).toMatchObject([{ headers: { authorization: "Custom", "x-a": "1", "x-b": "2" } }]);
});

test("a custom fetch receives the request", async () => {
  const asked: string[] = [];
  const fetch = async (request: Request) => {
    asked.push(`${request.method} ${request.url}`);
    return Response.json({ status: "ok" });
  };

  const result = await createClient({ baseUrl: "https://gateway.example//", fetch }).checkHealth();

  expect(result.ok).toBe(true);
  expect(asked).toEqual(["GET https://gateway.example/healthz"]);
});

test("a base URL that ends in /v1 is refused", () => {
  expect(() => createClient({ baseUrl: "https://gateway.example/v1/" })).toThrow(TypeError);
});

async function record(body: unknown) {
  const seen: { line: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const baseUrl = await serve(async (request, response) => {
    const text = (await readBody(request)).toString();
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body: text });
    respond(response, 200, body);
  });
  return { baseUrl, seen };
}
