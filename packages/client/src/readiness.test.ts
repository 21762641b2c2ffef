import { expect, test } from "vitest";
import { answer, serve } from "../test/serve.js";
import { createClient } from "./create-client.js";

test("a gateway that can serve is a success", async () => {
  const readiness = { status: "ready", models: { total: 2, ready: 2 } };
  const baseUrl = await serve((_, response) => answer(response, 200, readiness));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({ ok: true, data: readiness });
});

test("a gateway that can not serve is a failure that says why", async () => {
  const readiness = { status: "stopping", models: { total: 2, ready: 0 } };
  const baseUrl = await serve((_, response) => answer(response, 503, readiness, { "retry-after": "1" }));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({
    ok: false,
    status: 503,
    readiness,
    error: {
      message: "The gateway can not serve requests now: it is stopping.",
      type: "service_unavailable_error",
      param: null,
      code: "not_ready",
      retryAfterMs: 1000,
    },
  });
});

test("a load balancer that answers instead leaves the readiness unknown", async () => {
  const baseUrl = await serve((_, response) => response.writeHead(503).end("no backend"));

  const result = await createClient({ baseUrl }).checkReadiness();

  expect(result).toMatchObject({ ok: false, readiness: null, error: { code: "unexpected_answer" } });
});
