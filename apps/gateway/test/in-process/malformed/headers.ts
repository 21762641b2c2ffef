import { testKey } from "../../gateway/test-gateway.js";
import { type CaseKind, jsonOperations, rawRequest } from "./malformed-case.js";

/** Headers that are too large, too many, repeated, or not made of letters. */
export const headers: CaseKind = function* (random) {
  for (const bytes of [64 * 1024, 100 * 1024, 1024 * 1024]) {
    const request = rawRequest({
      method: "GET",
      path: "/healthz",
      headers: { "x-large": "a".repeat(bytes) },
    });
    yield { name: `a header of ${bytes} bytes`, bytes: request, outcome: "refused", status: 431 };
  }
  const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`x-${index}`, "a"]));
  yield {
    name: "12,000 headers",
    bytes: rawRequest({ method: "GET", path: "/healthz", headers: many }),
    outcome: "refused",
    status: 431,
  };
  yield {
    name: "a URL of 70,000 letters",
    bytes: rawRequest({ method: "GET", path: `/${"a".repeat(70_000)}` }),
    outcome: "refused",
    status: 431,
  };

  for (const authorization of wrongKeys) {
    for (const { path, body } of jsonOperations) {
      const request = rawRequest({
        path,
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      yield {
        name: `${path} with the key ${authorization.slice(0, 40)}`,
        bytes: request,
        outcome: "refused",
        status: 401,
      };
    }
  }
  for (const line of badLines) {
    yield {
      name: `the header line ${JSON.stringify(line).slice(0, 60)}`,
      bytes: getHealth(line),
      outcome: "refused",
      status: 400,
    };
  }
  for (const line of oddLines)
    yield {
      name: `the header line ${JSON.stringify(line).slice(0, 60)}`,
      bytes: getHealth(line),
      outcome: "taken or refused",
    };
  for (let round = 0; round < 60; round += 1) {
    const noise = random
      .bytes(1 + random.below(200))
      .toString("latin1")
      .replaceAll(/[\r\n]/g, "");
    yield {
      name: `noise for a header in round ${round}`,
      bytes: getHealth(`x-noise: ${noise}`),
      outcome: "taken or refused",
    };
    yield {
      name: `noise for a header's name in round ${round}`,
      bytes: getHealth(`${noise}: 1`),
      outcome: "taken or refused",
    };
  }
};

/** The first `authorization` counts, so that a second one cannot overrule the header that a proxy has checked. */
const wrongKeys = [
  "",
  " ",
  "Bearer",
  "Bearer ",
  "Bearer    ",
  "bearer wrong",
  `Basic ${testKey}`,
  testKey,
  `Bearer ${testKey}x`,
  `Bearer ${testKey.slice(0, -1)}`,
  `Bearer ${testKey} x`,
  `Bearer ${testKey},`,
  `Bearer "${testKey}"`,
  `Bearer ${testKey.toUpperCase()}`,
  `Bearer\u00a0${testKey}`,
  `Bearer ${"a".repeat(50_000)}`,
  `Bearer${" ".repeat(50_000)}`,
  "Bearer \u00ff\u00fe\u0080",
  `Bearer wrong\r\nauthorization: Bearer ${testKey}`,
  "Bearer wrong\r\napi-key: wrong",
  `x\r\napi-key: ${testKey}\r\napi-key: ${testKey}`,
];

const badLines = [
  "no colon",
  ": no name",
  "a b: 1",
  "a\u0000b: 1",
  "x: a\u0000b",
  "x: a\rb",
  "x : 1",
  "\u00e9: 1",
  "(x): 1",
  "content-length: -1",
  "content-length: +5",
  "content-length: 5a",
  "content-length: 0x5",
  "content-length: 1e3",
  "content-length: 5, 6",
  "content-length: 99999999999999999999999",
  "content-length: 0\r\ncontent-length: 5",
  "transfer-encoding: chunked\r\ncontent-length: 5",
  "transfer-encoding: gzip",
  "transfer-encoding: identity",
  "transfer-encoding: chunked, gzip",
  "transfer-encoding: xchunked",
  "transfer-encoding: \u000bchunked",
];

const oddLines = [
  "x:",
  "x:1",
  "x: \u0080\u00ff",
  "x: \t a \t",
  "cookie: __proto__=1; a=%ZZ; =; ;;",
  "content-type: a/b; c=d",
  "content-type: \u00ff",
  "accept: nothing/at-all",
  "accept-encoding: *;q=x",
  "if-none-match: \u00ff",
  "if-modified-since: never",
  "range: bytes=9-1",
  "range: bytes=999999999999-",
  "expect: something",
  "expect: 100-continue",
  "upgrade: websocket\r\nconnection: upgrade",
  "upgrade: h2c\r\nconnection: upgrade, http2-settings\r\nhttp2-settings: AAMAAABk",
  "te: trailers",
  "trailer: x",
  "connection: x-request-id",
  "host: \u00ff",
  "host: a\r\nhost: b",
  "host: evil.example/%0d",
  "x-http-method-override: DELETE",
  "x-forwarded-for: a, b, __proto__",
  'forwarded: for="_x',
  `x-client-request-id: ${"\u00ff".repeat(50_000)}`,
  'x-client-request-id: {"level":"fatal"}',
  "origin: null",
  "origin: \u00ff\r\naccess-control-request-method: \u00ff\r\naccess-control-request-headers: \u00ff",
  "content-length: 0",
  "content-length: 00000000000",
  "transfer-encoding: chunked",
];

function getHealth(line: string): Buffer {
  const body = line === "transfer-encoding: chunked" ? "0\r\n\r\n" : "";
  return Buffer.from(
    `GET /healthz HTTP/1.1\r\nhost: gateway\r\n${line}\r\nconnection: close\r\n\r\n${body}`,
    "latin1",
  );
}
