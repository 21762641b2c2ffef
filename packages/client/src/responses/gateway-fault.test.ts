import { expect, test } from "vitest";
import { readFault, readRetryAfter } from "./gateway-fault.js";

test("a gateway error is kept, with the headers' delay", () => {
  const error = { message: "Slow down.", type: "requests", param: null, code: "rate_limit_exceeded" };
  const response = new Response(null, { status: 429, headers: { "retry-after-ms": "250" } });

  const fault = readFault({ error }, response);

  expect(fault).toEqual({ ...error, retryAfterMs: 250 });
});

test("an error always has a type and a code, and null for another missing key", () => {
  const fault = readFault(
    { error: { message: "Access denied.", code: 401 } },
    new Response(null, { status: 401 }),
  );

  expect(fault).toEqual({
    message: "Access denied.",
    type: "unexpected_response",
    param: null,
    code: "unexpected_response",
  });
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
])("$name becomes an unexpected response with an excerpt", ({ body, excerpt }) => {
  const headers = { "content-type": "text/html" };
  const response = new Response(null, { status: 502, statusText: "Bad Gateway", headers });

  const fault = readFault(body, response);

  expect(fault).toEqual({
    message: `Unexpected response: 502 Bad Gateway, text/html${excerpt}`,
    type: "unexpected_response",
    param: null,
    code: "unexpected_response",
  });
});

const nowMs = Date.parse("Sun, 15 Nov 2026 02:00:00 GMT");

test.each([
  {
    name: "milliseconds win over seconds",
    given: { "retry-after-ms": "1500", "retry-after": "2" },
    want: 1500,
  },
  { name: "seconds become milliseconds", given: { "retry-after": "2" }, want: 2000 },
  {
    name: "a date becomes the time until then",
    given: { "retry-after": "Sun, 15 Nov 2026 02:00:05 GMT" },
    want: 5000,
  },
  {
    name: "a date in the past asks for no delay",
    given: { "retry-after": "Sun, 15 Nov 2026 01:00:00 GMT" },
    want: 0,
  },
  { name: "no header says nothing", given: {}, want: undefined },
  { name: "an unreadable header says nothing", given: { "retry-after": "soon" }, want: undefined },
])("$name", ({ given, want }) => {
  expect(readRetryAfter(new Headers(given), nowMs)).toEqual(want);
});
