import { METHODS } from "node:http";
import { type CaseKind, type MalformedCase, operationPaths, rawRequest } from "./malformed-case.js";

/** Methods that a path does not take, and unknown paths. */
export const urls: CaseKind = function* (random) {
  for (const { path, method } of operationPaths) {
    for (const wrong of METHODS) {
      // A tunnel is closed without a response, and HEAD is as good as GET.
      if (wrong === method || wrong === "CONNECT" || (wrong === "HEAD" && method === "GET")) continue;
      const allow = method === "GET" ? "GET, HEAD" : "POST";
      yield {
        name: `${wrong} ${path}`,
        bytes: rawRequest({ method: wrong, path }),
        outcome: "refused",
        status: 405,
        allow,
      };
    }
  }
  for (const path of unknownPaths) {
    for (const method of ["GET", "POST"]) {
      yield {
        name: `${method} ${path.slice(0, 60)}`,
        bytes: rawRequest({ method, path }),
        outcome: "refused",
      };
    }
  }
  for (const path of strangePaths) {
    for (const method of ["GET", "POST"])
      yield { ...taken(`${method} ${path.slice(0, 60)}`), bytes: rawRequest({ method, path }) };
  }
  for (const condition of [
    "range: bytes=999999999-",
    'if-match: "x"',
    "if-unmodified-since: Thu, 01 Jan 1970 00:00:00 GMT",
  ]) {
    const bytes = Buffer.from(
      `GET /docs/index.html HTTP/1.1\r\nhost: gateway\r\n${condition}\r\nconnection: close\r\n\r\n`,
    );
    yield { name: `a page with ${condition}`, bytes, outcome: "taken or refused" };
  }
  for (let round = 0; round < 150; round += 1) {
    const path = `${random.pick(stems)}${Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join("")}`;
    const bytes = rawRequest({ method: random.pick(["GET", "POST"]), path });
    yield { ...taken(`the path ${path.slice(0, 80)} in round ${round}`), bytes };
  }
};

function taken(name: string): Omit<MalformedCase, "bytes"> {
  return { name, outcome: "taken or refused" };
}

const unknownPaths = [
  "/",
  "/v1",
  "/v1/",
  "/v2/embeddings",
  "/v1/embedding",
  "//v1/embeddings",
  "/v1//embeddings",
  "/V1/EMBEDDINGS",
  "/v1/embeddings/x",
  "/v1/embeddings%00",
  "/v1/embeddings%2f",
  "/v1%2fembeddings",
  "/v1/%65mbeddings%ZZ",
  "/v1/models/%",
  "/v1/models/%Z",
  "/v1/models/%ZZ",
  "/v1/models/%00",
  "/v1/models/%ff%fe",
  "/v1/models/%c0%af",
  "/v1/models/..",
  "/v1/models/../../etc/passwd",
  "/v1/models/%2e%2e%2fgood",
  "/v1/models/good%00",
  "/v1/models/good%0d%0ax-injected:%201",
  "/v1/models/__proto__",
  "/v1/models/constructor",
  "/v1/models/toString",
  "/v1/engines/%ZZ/embeddings",
  "/v1/engines//embeddings",
  "/v1/engines/a/b/embeddings/c",
  "/v1/engines/good/EMBEDDINGS",
  "/..",
  "/../healthz",
  "/%2e%2e/healthz",
  "/healthz%20",
  "/healthz;x=1",
  "/healthz/x",
  "/docs/../healthz/x",
  "/docs/%2e%2e/%2e%2e/package.json",
  "/docs/..%2f..%2fpackage.json",
  "/docs/%00",
  "/docs/%ZZ",
  "/docs/no-such-page",
  `/docs/${"a".repeat(5000)}`,
  "/docs/.env",
  "/docs/\\..\\..\\package.json",
  "/.well-known/x",
  "/favicon.ico",
  `/${"a".repeat(30_000)}`,
  `/${"a/".repeat(10_000)}`,
  `/v1/models/${"a".repeat(257)}`,
  `/v1/models/${"%41".repeat(10_000)}`,
  `/v1/engines/${"/".repeat(10_000)}/embeddings`,
  "*",
  "http://",
  "http://?x",
  "http://x",
  "http://[::/healthz/x",
  "http://[x]:y/z",
  "http://user:password@x:99999999/y",
  "/\\evil.example/%2e%2e",
  "/%5c%5cevil.example",
];

/** Odd, and yet a server may understand them: RFC 9112 even demands support for the whole URL. */
const strangePaths = [
  "/healthz/",
  "/v1/models/",
  "/v1/embeddings/",
  "/healthz?",
  "/healthz??",
  "/healthz?a=%ZZ",
  "/healthz?__proto__=1",
  "/healthz?a[b][c]=1&constructor[prototype][polluted]=1",
  "/healthz#x",
  "/v1/models#x",
  "/v1/models/good#x",
  "/v1/models/good?x=1?y=2",
  `/healthz?${"a=1&".repeat(5000)}`,
  `/healthz?${"[".repeat(10_000)}`,
  "http://gateway/healthz",
  "http://other.example/v1/models",
  "http://gateway:1/v1/models/good?x#y",
  "https://gateway/healthz",
  "http://[::/healthz",
  "http://x:99999999/healthz",
  "/docs",
  "/docs/",
  "/docs//evil.example/%2e%2e",
  "/docs/?x=%ZZ",
  "/docs/index.html/",
];

const stems = [
  "/",
  "/v1/",
  "/v1/models",
  "/v1/models/",
  "/v1/models/good",
  "/v1/engines/",
  "/v1/engines/good/embeddings",
  "/v1/embeddings",
  "/healthz",
  "/docs/",
  "http://x/",
  "http://x/v1/models",
];
const pieces = [
  "/",
  "//",
  "..",
  ".",
  "%2e",
  "%2f",
  "%5c",
  "%00",
  "%0a",
  "%",
  "%Z",
  "%ff",
  "?",
  "&",
  "=",
  "#",
  ";",
  "+",
  "~",
  "*",
  "\\",
  "|",
  "{model}",
  ":model",
  "[",
  "]",
  "a",
  "good",
  "embeddings",
  "\u00e9",
  "%c3%a9",
  "%f0%9f%98%80",
  "%ed%a0%80",
];
