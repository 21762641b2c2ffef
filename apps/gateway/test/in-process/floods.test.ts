import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type InProcessGateway, startGateway } from "../gateway/in-process.js";

const floodBytes = 200 * 1024 * 1024;
/** Bytes that may be in flight when the gateway hangs up. */
const sentBytesMax = 20 * 1024 * 1024;

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const eventHead = head.replace("application/json", "text/event-stream");
const data = `${head}{"object":"list","data":[`;
const floods: [name: string, flood: { start: string; part: string }][] = [
  ["empty objects", { start: data, part: "{}," }],
  ["unrequested vectors", { start: data, part: '{"embedding":[1,2],"index":0},' }],
  ["lists", { start: `${head}{"data":[1`, part: ",[]" }],
  ["keys", { start: `${head}{`, part: '"key":1,' }],
  ["one text", { start: `${head}{"note":"`, part: "a" }],
  ["one vector", { start: `${data}{"embedding":[1`, part: ",1" }],
  ["one vector in base64", { start: `${data}{"embedding":"`, part: "AAAA" }],
  ["spaces", { start: `${head}{`, part: " " }],
  ["informational replies", { start: "", part: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n" }],
];

const imageFloods: [name: string, flood: { start: string; part: string }][] = [
  ["empty objects", { start: `${head}{"data":[`, part: "{}," }],
  ["unrequested images", { start: `${head}{"data":[`, part: '{"b64_json":"AAAA"},' }],
  ["lists", { start: `${head}{"data":[1`, part: ",[]" }],
  ["keys", { start: `${head}{`, part: '"key":1,' }],
  ["one prompt", { start: `${head}{"data":[{"revised_prompt":"`, part: "a" }],
];
/** These may be an image for long. They end at the size of the largest one. */
const imageTextFloods: typeof imageFloods = [
  ["one image", { start: `${head}{"data":[{"b64_json":"`, part: "AAAA" }],
  ["one link", { start: `${head}{"data":[{"url":"`, part: "a" }],
  ["an event without an end", { start: `${eventHead}data: `, part: "[{}," }],
];
const imageTextBytesMax = 110 * 1024 * 1024;

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
${floods.map((_, number) => `  m${number}: { type: embedding, dimensions: 2, retries: { max: 0 }, targets: [{ upstream: flood, model: m${number} }] }`).join("\n")}
${[...imageFloods, ...imageTextFloods].map((_, number) => `  i${number}: { type: image, retries: { max: 0 }, targets: [{ upstream: flood, model: i${number} }] }`).join("\n")}`);
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
  const closed = once(socket, "close");
  while (sentBytes < floodBytes && !socket.destroyed) {
    sentBytes += many.length;
    if (socket.write(many)) continue;
    const drained = new AbortController();
    await Promise.race([once(socket, "drain", drained), closed]).catch(() => undefined);
    drained.abort();
  }
  socket.end();
}

test.each(floods)("a flood of %s is cut off as it arrives", async (_name, each) => {
  flood = each;
  // A separate target: the failures of one must not open the next one's circuit breaker.
  const model = `m${floods.findIndex(([, other]) => other === each)}`;

  const response = await gateway.sendJson("/v1/embeddings", { model, input: ["a", "b"] });

  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: "upstream_invalid_reply" } });
  expect(sentBytes).toBeLessThan(sentBytesMax);
});

test.each([...imageFloods, ...imageTextFloods])(
  "a flood of %s in place of an image is cut off as it arrives",
  async (_name, each) => {
    flood = each;
    const model = `i${[...imageFloods, ...imageTextFloods].findIndex(([, other]) => other === each)}`;

    const response = await gateway.sendJson("/v1/images/generations", { model, prompt: "a fox" });

    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: "upstream_invalid_reply" } });
    const isText = imageTextFloods.some(([, other]) => other === each);
    expect(sentBytes).toBeLessThan(isText ? imageTextBytesMax : sentBytesMax);
  },
);
