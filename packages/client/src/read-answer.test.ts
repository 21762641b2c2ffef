import { expect, test } from "vitest";
import { answer, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";

test("an error of the gateway is a value with its status and request id", async () => {
  const error = { message: "Slow down.", type: "requests", param: null, code: "rate_limit_exceeded" };
  const baseUrl = await serve((_, response) => answer(response, 429, { error }, { "retry-after": "2" }));

  const result = await createClient({ baseUrl }).listModels();

  expect(result).toMatchObject({
    ok: false,
    status: 429,
    requestId: "req_1",
    error: { ...error, retryAfterMs: 2000 },
  });
});

test("an error page of a proxy is a value too", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
  });

  const result = await createClient({ baseUrl }).createEmbedding({ model: "m", input: "a" });

  expect(result).toMatchObject({
    ok: false,
    status: 502,
    requestId: null,
    error: {
      message: "Unexpected answer: 502 Bad Gateway, text/html: <h1>Bad Gateway</h1>",
      code: "unexpected_answer",
    },
  });
});

test("an error without a body is a value too", async () => {
  const baseUrl = await serve((_, response) => response.writeHead(503, { "content-length": "0" }).end());

  const result = await createClient({ baseUrl }).listModels();

  expect(result).toMatchObject({ ok: false, status: 503, error: { code: "unexpected_answer" } });
});

test.each([
  { name: "a page", body: "<h1>Sign in</h1>" },
  { name: "nothing", body: "" },
  { name: "JSON of another kind", body: '{"hello":"world"}' },
  { name: "JSON that is cut short", body: '{"object":"list","data":[' },
])("a 200 that holds $name is a failure", async ({ body }) => {
  const baseUrl = await serve((_, response) => response.writeHead(200).end(body));

  const result = await createClient({ baseUrl }).listModels();

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_answer" } });
});

test("a gateway that can not be reached rejects, as fetch does", async () => {
  const client = createClient({ baseUrl: "http://127.0.0.1:1" });

  await expect(client.checkHealth()).rejects.toThrow(TypeError);
});

test("an abort rejects with the reason of the signal", async () => {
  const controller = new AbortController();
  const reason = new Error("left");
  const baseUrl = await serve(() => controller.abort(reason));

  const call = createClient({ baseUrl }).listModels({ signal: controller.signal });

  await expect(call).rejects.toBe(reason);
});
