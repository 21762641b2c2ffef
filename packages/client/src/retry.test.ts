import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { readBody, readForm, respond, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";
import { RepeatableRequest } from "./http-client.js";
import { isRetryable, type RetryOptions, waitBefore } from "./retry.js";

const embeddings = { object: "list", data: [], model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } };
const images = { created: 1, data: [{ b64_json: "AA==" }] };
const error = {
  error: { message: "Later.", type: "rate_limit_error", param: null, code: "rate_limit_exceeded" },
};
const soon = { "retry-after-ms": "1" };

/** A reply of the server: a status and headers, or a broken connection. */
type Reply = { readonly status: number; readonly headers?: Record<string, string> } | "broken";

/** A client of a server that gives these replies one after the other, and after them 200. */
async function serveReplies(replies: readonly Reply[], settings: { readonly retry?: RetryOptions } = {}) {
  const bodies: string[] = [];
  const baseUrl = await serve(async (request, response) => {
    bodies.push((await readBody(request)).toString());
    const reply = replies[bodies.length - 1];
    if (reply === "broken") return response.destroy();
    if (reply !== undefined) return respond(response, reply.status, error, reply.headers);
    return respond(response, 200, request.url === "/v1/embeddings" ? embeddings : images);
  });
  return { client: createClient({ baseUrl, ...settings }), bodies };
}

test("a call is retried after the server's delay, with the same body", async () => {
  const { client, bodies } = await serveReplies([
    { status: 429, headers: soon },
    { status: 503, headers: soon },
  ]);

  const result = await client.createEmbedding({ model: "m", input: "a" });

  expect(result).toMatchObject({ ok: true, data: embeddings });
  expect(bodies).toEqual(Array(3).fill('{"model":"m","input":"a"}'));
});

test("after the last retry the failure is returned", async () => {
  const { client, bodies } = await serveReplies(Array(9).fill({ status: 429, headers: soon }), {
    retry: { max: 3 },
  });

  const result = await client.createEmbedding({ model: "m", input: "a" });

  expect(result).toMatchObject({ ok: false, status: 429, error: { code: "rate_limit_exceeded" } });
  expect(bodies.length).toBe(4);
});

test.each([
  ["with no retries", { retry: { max: 0 } }, { status: 429, headers: soon }],
  ["if the server says so", { retry: {} }, { status: 503, headers: { ...soon, "x-should-retry": "false" } }],
  ["after a refusal that is final", { retry: {} }, { status: 400 }],
  [
    "if the server asks for a longer wait",
    { retry: { waitMsMax: 50 } },
    { status: 429, headers: { "retry-after": "1" } },
  ],
])("a call is not retried %s", async (_when, settings, reply) => {
  const { client, bodies } = await serveReplies([reply], settings);

  const result = await client.createEmbedding({ model: "m", input: "a" });

  expect(result).toMatchObject({ ok: false, status: reply.status });
  expect(bodies.length).toBe(1);
});

test("an image that may have been made is not requested again, unless a key prevents that it is made twice", async () => {
  const body = { model: "m", prompt: "a fox" };
  const bad = { status: 502, headers: soon };
  const [plain, keyed, refused] = [
    await serveReplies([bad]),
    await serveReplies([bad, "broken"]),
    await serveReplies([{ status: 429, headers: soon }]),
  ];

  const results = [
    await plain.client.createImage(body),
    await keyed.client.createImage(body, { idempotencyKey: "order-1" }),
    await refused.client.createImage(body),
  ];

  expect(results.map(({ ok }) => ok)).toEqual([false, true, true]);
  expect([plain, keyed, refused].map(({ bodies }) => bodies.length)).toEqual([1, 3, 2]);
});

test("a broken connection is retried where that is safe, and else rejects", async () => {
  const [safe, unsafe] = [await serveReplies(["broken"]), await serveReplies(["broken"])];

  expect((await safe.client.createEmbedding({ model: "m", input: "a" })).ok).toBe(true);
  await expect(unsafe.client.createImage({ model: "m", prompt: "a fox" })).rejects.toThrow("fetch failed");
  expect(unsafe.bodies.length).toBe(1);
});

test("a probe is not retried", async () => {
  const { client, bodies } = await serveReplies([{ status: 503 }]);

  expect(await client.checkReadiness()).toMatchObject({ ok: false, status: 503 });
  expect(bodies.length).toBe(1);
});

test("an image is requested again if no connection was made, since none can have been created", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const request = new Request("http://gateway/v1/images/generations", { method: "POST" });
  const broken = new TypeError("fetch failed", {
    cause: Object.assign(new Error(), { code: "ECONNRESET" }),
  });

  const failure: unknown = await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error);

  expect(isRetryable(request, { failure })).toBe(true);
  expect(isRetryable(request, { failure: broken })).toBe(false);
});

test("an upload is sent again whole, and the first attempt keeps nothing of it", async () => {
  const bodies: string[] = [];
  const baseUrl = await serve(async (request, response) => {
    const file = (await readForm(request)).get("file");
    bodies.push(file instanceof Blob ? await file.text() : "");
    if (bodies.length === 1) return respond(response, 503, error, soon);
    return respond(response, 200, { bytes: 1 });
  });

  await createClient({ baseUrl }).uploadFile({ file: new Blob(["a line"]), purpose: "batch" });
  const request = new RepeatableRequest("http://gateway", { method: "POST", body: new FormData() });
  const { body } = request;
  request.clone();

  expect(bodies).toEqual(["a line", "a line"]);
  // A plain clone splits the stream in two, of which the second keeps what the first has read.
  expect(request.body).toBe(body);
});

test("an abort ends the wait with the reason of the signal", async () => {
  const abort = new AbortController();
  const baseUrl = await serve((_request, response) => {
    respond(response, 429, error, { "retry-after": "30" });
    response.once("close", () => abort.abort(new Error("no longer needed")));
  });

  const call = createClient({ baseUrl, retry: {} }).listModels({ signal: abort.signal });

  await expect(call).rejects.toThrow("no longer needed");
});

test.each([{ max: -1 }, { max: 11 }, { max: 1.5 }, { waitMsMax: -1 }, { waitMsMax: Number.NaN }])(
  "the option %j is refused",
  (retry) => {
    expect(() => createClient({ baseUrl: "http://127.0.0.1", retry })).toThrow(TypeError);
  },
);

test.each([
  ["GET", "/v1/models", 500, undefined, true],
  ["POST", "/v1/embeddings", 408, undefined, true],
  ["POST", "/v1/embeddings", 404, undefined, false],
  ["POST", "/v1/embeddings", 404, "true", true],
  ["POST", "/v1/images/edits", 504, undefined, false],
  ["POST", "/v1/images/edits", 503, undefined, true],
  ["POST", "/admin/v1/keys", 500, undefined, false],
  ["DELETE", "/admin/v1/keys/a", 500, undefined, true],
])("%s %s after %i with the hint %s: %s", (method, path, status, hint, isRetried) => {
  const headers = new Headers(hint === undefined ? {} : { "x-should-retry": hint });

  const response = new Response(null, { status, headers });

  expect(isRetryable(new Request(`http://gateway${path}`, { method }), { response })).toBe(isRetried);
});

test("without a hint the wait doubles up to its limit, and is up to a quarter shorter by chance", () => {
  const waits = [0, 1, 2, 9].map((retry) => waitBefore({}, { retry, random: 0 }));

  expect(waits).toEqual([500, 1000, 2000, 8000]);
  expect(waitBefore({}, { retry: 0, random: 1 })).toBe(375);
});
