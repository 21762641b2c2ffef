import { expect, test } from "vitest";
import { readFault } from "./gateway-fault.js";

test("an error of the gateway is taken as it is, with the wait of the headers", () => {
  const error = { message: "Slow down.", type: "requests", param: null, code: "rate_limit_exceeded" };
  const response = new Response(null, { status: 429, headers: { "retry-after-ms": "250" } });

  const fault = readFault({ error }, response);

  expect(fault).toEqual({ ...error, retryAfterMs: 250 });
});

test("an error that lacks keys gets null in their place", () => {
  const fault = readFault(
    { error: { message: "Access denied.", code: 401 } },
    new Response(null, { status: 401 }),
  );

  expect(fault).toEqual({ message: "Access denied.", type: "unexpected_answer", param: null, code: null });
});

test.each([
  {
    name: "a page of a proxy",
    body: "<html>\n  <h1>Bad\n Gateway</h1>",
    excerpt: ": <html> <h1>Bad Gateway</h1>",
  },
  { name: "JSON of another kind", body: { detail: "no" }, excerpt: ': {"detail":"no"}' },
  { name: "an error that is only text", body: { error: "no" }, excerpt: ': {"error":"no"}' },
  { name: "an empty body", body: undefined, excerpt: "" },
  { name: "a long text", body: "x".repeat(500), excerpt: `: ${"x".repeat(200)}…` },
])("$name becomes an unexpected answer that says what came", ({ body, excerpt }) => {
  const headers = { "content-type": "text/html" };
  const response = new Response(null, { status: 502, statusText: "Bad Gateway", headers });

  const fault = readFault(body, response);

  expect(fault).toEqual({
    message: `Unexpected answer: 502 Bad Gateway, text/html${excerpt}`,
    type: "unexpected_answer",
    param: null,
    code: "unexpected_answer",
  });
});
