import { testKey } from "../../gateway/test-gateway.js";
import { type CaseKind, jsonOperations, type MalformedCase, rawRequest } from "./malformed-case.js";

const json = { "content-type": "application/json" };
const head = `host: gateway\r\nauthorization: Bearer ${testKey}\r\ncontent-type: application/json\r\n`;
const chunked = (body: string) =>
  `POST /v1/embeddings HTTP/1.1\r\n${head}transfer-encoding: chunked\r\n\r\n${body}`;

/** Bytes that are not HTTP, bodies that do not end where they say, and callers that stop or leave in the middle. */
export const badHttp: CaseKind = function* (random) {
  for (const text of notHttp) yield refused(JSON.stringify(text).slice(0, 70), text);
  for (const text of untidy) {
    yield { ...refused(JSON.stringify(text).slice(0, 70), text), outcome: "taken or refused" };
  }
  for (const body of badChunks)
    yield refused(`the chunks ${JSON.stringify(body).slice(0, 60)}`, chunked(body));
  for (let round = 0; round < 40; round += 1) {
    // A first letter that no method has, so that the parser need not wait for more.
    const noise = Buffer.concat([Buffer.from("?"), random.bytes(1 + random.below(500))]);
    yield { name: `noise in round ${round}`, bytes: noise, outcome: "refused", status: 400 };
  }
  for (const { path, body } of jsonOperations) {
    const content = JSON.stringify(body);
    const whole = rawRequest({ path, headers: json, body: content });
    const long = rawRequest({
      path,
      headers: { ...json, "content-length": String(content.length + 50) },
      body: content,
    });
    const short = rawRequest({
      path,
      headers: { ...json, "content-length": String(content.length - 5) },
      body: content,
    });
    yield {
      name: `${path} half closed before its end`,
      bytes: long,
      options: { after: "half-close" },
      outcome: "refused",
      status: 400,
    };
    yield { name: `${path} with a length that is too small`, bytes: short, outcome: "refused", status: 400 };
    yield {
      name: `${path} in drops that stop`,
      bytes: long,
      options: { packetBytes: 7, after: "leave" },
      outcome: "left",
    };
    for (let round = 0; round < 12; round += 1) {
      const bytes = whole.subarray(0, 1 + random.below(whole.length - 1));
      yield {
        name: `${path} left after ${bytes.length} bytes`,
        bytes,
        options: { after: "leave" },
        outcome: "left",
      };
    }
    yield* stalled(path);
  }
  yield {
    name: "a tunnel",
    bytes: Buffer.from("CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n"),
    options: { after: "leave" },
    outcome: "left",
  };
  yield {
    name: "a connection that says nothing",
    bytes: Buffer.alloc(0),
    options: { after: "leave" },
    outcome: "left",
  };
};

function refused(name: string, text: string): MalformedCase {
  return { name, bytes: Buffer.from(text, "latin1"), outcome: "refused" };
}

/** Requests that can get a response before their body, and whose body never comes. */
function* stalled(path: string): Generator<MalformedCase> {
  const stall = (name: string, headers: Record<string, string>, status: number): MalformedCase => ({
    name: `${path} ${name}, and no body comes`,
    bytes: rawRequest({ path, headers: { ...json, "content-length": "1000", ...headers } }),
    outcome: "refused",
    status,
  });
  yield stall("with a wrong key", { authorization: "Bearer wrong" }, 401);
  yield stall("with another content type", { "content-type": "text/plain" }, 415);
  yield stall("over the limit", { "content-length": "99999999999" }, 413);
  yield {
    ...stall("on an unknown path", {}, 404),
    bytes: rawRequest({ path: `${path}/x/y`, headers: { ...json, "content-length": "1000" } }),
  };
  yield {
    ...stall("by another method", {}, 405),
    bytes: rawRequest({ method: "PUT", path, headers: { ...json, "content-length": "1000" } }),
  };
}

/** Old, new or untidy, and yet the parser understands them. */
const untidy = [
  "GET /healthz\r\n\r\n",
  "GET  /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /healthz HTTP/1.0\r\n\r\n",
  "GET /healthz HTTP/2.0\r\nhost: x\r\n\r\n",
  "\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n\u0000\u0001 and then noise",
];

const notHttp = [
  "hello\r\n\r\n",
  "\u0000\u0000\u0000\u0000",
  "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001",
  "SSH-2.0-x\r\n",
  "GET\r\n\r\n",
  "GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n",
  "GET /healthz HTTP/1.1x\r\nhost: x\r\n\r\n",
  "GET /healthz XTTP/1.1\r\n\r\n",
  "get /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
  "FOO /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET healthz HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /a b HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /\u0000 HTTP/1.1\r\nhost: x\r\n\r\n",
  "GET /healthz HTTP/1.1\nhost: x\n\n\u0000",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "GET /healthz HTTP/1.1\r\n\r\n",
  "GET /healthz HTTP/1.1\r\nhost: x\r\n folded: 1\r\n\r\n",
  "HTTP/1.1 200 OK\r\n\r\n",
];

const badChunks = [
  "zz\r\n{}\r\n0\r\n\r\n",
  "-1\r\n{}\r\n",
  "0x2\r\n{}\r\n0\r\n\r\n",
  "2\r\n{}x\r\n0\r\n\r\n",
  "2 \r\n{}\r\n0\r\n\r\n",
  "\r\n{}\r\n0\r\n\r\n",
  "fffffffffffffffff\r\n{}",
  "1;\u0000\r\n{\r\n0\r\n\r\n",
  `2;${"a".repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
  "2\r\n{}\r\n0\r\nbad trailer\r\n\r\n",
  "2\r\n{}\r\n0\r\n\r\n",
  "0\r\n\r\n",
];
