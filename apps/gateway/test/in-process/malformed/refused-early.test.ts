import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { sendRaw } from "../../gateway/raw-request.js";
import { testKey } from "../../gateway/test-gateway.js";

let gateway: InProcessGateway;
let port: number;

beforeAll(async () => {
  gateway = await startGateway(`
upstreams: { local: { provider: local } }
models: { local-sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] } }`);
  port = Number(new URL(gateway.url).port);
});
afterAll(() => gateway.stop());

const head = (path: string, contentType: string) =>
  `POST ${path} HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${testKey}\r\ncontent-type: ${contentType}\r\n`;

test.each([
  ["JSON", head("/v1/embeddings", "application/json")],
  ["a form", head("/v1/images/edits", "multipart/form-data; boundary=x")],
])("a caller with Expect and %s of a terabyte gets 413, not 100", async (_name, start) => {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${start}content-length: 1000000000000\r\nexpect: 100-continue\r\n\r\n`);

  const [first] = (await once(socket, "data")) as [Buffer];
  socket.destroy();

  expect(first.toString()).toMatch(/^HTTP\/1\.1 413 /);
});

test("a request with two hosts is refused", async () => {
  const response = await sendRaw(port, "GET /healthz HTTP/1.1\r\nhost: a\r\nHOST: b\r\n\r\n");

  expect(response?.status).toBe(400);
  expect(response?.body).toContain("two Host headers");
});
