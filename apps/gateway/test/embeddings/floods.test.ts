import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";

const floodBytes = 200 * 1024 * 1024;
/** What may be on its way when the gateway hangs up. */
const sentBytesMax = 20 * 1024 * 1024;

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const data = `${head}{"object":"list","data":[`;
const floods: [name: string, flood: { start: string; part: string }][] = [
  ["empty objects", { start: data, part: "{}," }],
  ["vectors that nobody asked for", { start: data, part: '{"embedding":[1,2],"index":0},' }],
  ["lists", { start: `${head}{"data":[1`, part: ",[]" }],
  ["keys", { start: `${head}{`, part: '"key":1,' }],
  ["one text", { start: `${head}{"note":"`, part: "a" }],
  ["one vector", { start: `${data}{"embedding":[1`, part: ",1" }],
  ["one vector in base64", { start: `${data}{"embedding":"`, part: "AAAA" }],
  ["spaces", { start: `${head}{`, part: " " }],
  ["informational replies", { start: "", part: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" }],
];

/** An upstream that begins a reply and then sends the same part of it again and again. */
let flood = { start: "", part: "" };
let sentBytes = 0;
let server: Server;
let gateway: InProcessGateway;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    void pour(response.socket as Socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  gateway = await startGateway(`
upstreams: { flood: { provider: openai-compatible, baseUrl: "http://127.0.0.1:${port}/v1" } }
models:
${floods.map((_, number) => `  m${number}: { type: embedding, dimensions: 2, retries: { max: 0 }, targets: [{ upstream: flood, model: m${number} }] }`).join("\n")}`);
});
beforeEach(() => {
  sentBytes = 0;
});
afterAll(async () => {
  await gateway.stop();
  server.close();
  server.closeAllConnections();
});

async function pour(socket: Socket): Promise<void> {
  socket.on("error", () => undefined);
  socket.write(flood.start);
  const many = flood.part.repeat(Math.ceil(65_536 / flood.part.length));
  while (sentBytes < floodBytes && !socket.destroyed) {
    sentBytes += many.length;
    if (!socket.write(many))
      await Promise.race([once(socket, "drain"), once(socket, "close")]).catch(() => undefined);
  }
  socket.end();
}

test.each(floods)("a flood of %s is cut off as it arrives", async (_name, each) => {
  flood = each;
  // A target of its own: the failures of one must not open the circuit breaker of the next.
  const model = `m${floods.findIndex(([, other]) => other === each)}`;

  const response = await gateway.sendJson("/v1/embeddings", { model, input: ["a", "b"] });

  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: "upstream_invalid_answer" } });
  expect(sentBytes).toBeLessThan(sentBytesMax);
});
