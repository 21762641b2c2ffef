import { expect, test } from "vitest";
import { respond, serve } from "../../test/serve.js";
import { createClient } from "../create-client.js";

test("a gateway error is a value with its status and request id", async () => {
  const error = { message: "Slow down.", type: "requests", param: null, code: "rate_limit_exceeded" };
  const baseUrl = await serve((_, response) => respond(response, 429, { error }, { "retry-after": "2" }));

  const result = await createClient({ baseUrl }).listModels();

  expect(result).toMatchObject({
    ok: false,
    status: 429,
    requestId: "req_1",
    error: { ...error, retryAfterMs: 2000 },
  });
});

test("a proxy's error page is a value", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
  });

  const result = await createClient({ baseUrl }).createEmbedding({ model: "m", input: "a" });

  expect(result).toMatchObject({
    ok: false,
    status: 502,
    requestId: null,
    error: {
      message: "Unexpected response: 502 Bad Gateway, text/html: <h1>Bad Gateway</h1>",
      code: "unexpected_response",
    },
  });
});

test("an error without a body is a value", async () => {
  const baseUrl = await serve((_, response) => response.writeHead(503, { "content-length": "0" }).end());

  const result = await createClient({ baseUrl, retry: { max: 0 } }).listModels();

  expect(result).toMatchObject({ ok: false, status: 503, error: { code: "unexpected_response" } });
});

test.each([
  { name: "a page", body: "<h1>Sign in</h1>" },
  { name: "nothing", body: "" },
  { name: "JSON of another kind", body: '{"hello":"world"}' },
  { name: "truncated JSON", body: '{"object":"list","data":[' },
])("a 200 that holds $name is a failure", async ({ body }) => {
  const baseUrl = await serve((_, response) => response.writeHead(200).end(body));

  const result = await createClient({ baseUrl }).listModels();

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_response" } });
});

test("an unreachable gateway rejects, as fetch does", async () => {
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

const link = "/v1/images/files/a.png?expires=1&signature=x";

test("a link that has expired is a value with its status and code", async () => {
  const error = {
    message: "The link has expired.",
    type: "invalid_request_error",
    param: null,
    code: "link_expired",
  };
  const baseUrl = await serve((_, response) => respond(response, 410, { error }));

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({ ok: false, status: 410, requestId: "req_1", error });
});

test("an error page in place of an image is a value", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad Gateway</h1>");
  });

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({
    ok: false,
    status: 502,
    error: {
      message: "Unexpected response: 502 Bad Gateway, text/html: <h1>Bad Gateway</h1>",
      code: "unexpected_response",
    },
  });
});

test("a 200 that is not an image is a failure", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>");
  });

  const result = await createClient({ baseUrl }).retrieveImageFile(link);

  expect(result).toMatchObject({ ok: false, status: 200, error: { code: "unexpected_response" } });
});

test("a truncated image rejects, as fetch does", async () => {
  const baseUrl = await serve((_, response) => {
    response.writeHead(200, { "content-type": "image/png", "content-length": "100" });
    response.write("short", () => response.destroy());
  });

  await expect(createClient({ baseUrl }).retrieveImageFile(link)).rejects.toThrow(TypeError);
});

test("an aborted download rejects with the signal's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("left");
  const baseUrl = await serve(() => controller.abort(reason));

  const call = createClient({ baseUrl }).retrieveImageFile(link, { signal: controller.signal });

  await expect(call).rejects.toBe(reason);
});

test("a gateway that can serve is a success", async () => {
  const readiness = { status: "ready", models: { total: 2, ready: 2 } };
  const baseUrl = await serve((_, response) => respond(response, 200, readiness));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({ ok: true, data: readiness });
});

test("a gateway that cannot serve is a failure that says why", async () => {
  const readiness = { status: "stopping", models: { total: 2, ready: 0 } };
  const baseUrl = await serve((_, response) => respond(response, 503, readiness, { "retry-after": "1" }));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({
    ok: false,
    status: 503,
    readiness,
    error: {
      message: "The gateway cannot serve requests now: it is stopping.",
      type: "service_unavailable_error",
      param: null,
      code: "not_ready",
      retryAfterMs: 1000,
    },
  });
});

test("a response of a load balancer leaves the readiness unknown", async () => {
  const baseUrl = await serve((_, response) => response.writeHead(503).end("no backend"));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({ ok: false, readiness: null, error: { code: "unexpected_response" } });
});
