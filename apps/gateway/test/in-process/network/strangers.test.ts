import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { platform } from "node:process";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Whoever reaches the port, without a key. */
let upstream: FakeUpstream;
let gateway: InProcessGateway;
const sockets = new Set<Socket>();

beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { width: 8 } } });
  gateway = await startGateway(`
logLevel: warn
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  text: { type: embedding, dimensions: 8, cache: false, targets: [{ upstream: fake, model: text }] }
`);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

function open(): Socket {
  const socket = connect({ port: Number(new URL(gateway.url).port), host: "127.0.0.1", noDelay: true });
  sockets.add(socket);
  return socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
}

const short = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
const wrongKey = short
  .replace("\r\n\r\n", "\r\nauthorization: Bearer mg_wrong\r\n\r\n")
  .replace(" / ", " /v1/files ");

const page = readdirSync("../docs/dist/assets").find((name) => /^redoc-.*\.js$/.test(name));
const large = `GET /docs/assets/${page} HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Statuses of small embeddings, one after the other. */
async function embed(count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const response = await gateway.sendJson("/v1/embeddings", { model: "text", input: `text ${number}` });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

test("strangers who ask one after the other take a part of each turn, however many they are", async () => {
  let answered = 0;
  const strangers = Array.from({ length: 200 }, open);
  await Promise.all(strangers.map((socket) => once(socket, "connect")));
  for (const socket of strangers) {
    socket.setEncoding("latin1").on("data", (text: string) => {
      if (!text.includes("HTTP/1.1 401")) return;
      answered += 1;
      socket.write(wrongKey);
    });
    socket.write(wrongKey);
  }
  await expect.poll(() => answered).toBeGreaterThan(600);
  const before = answered;

  await embed(40);

  expect((answered - before) / 40).toBeLessThan(150);
});

test.runIf(platform === "linux")("a hundred pipelined pages hold one file, and not a hundred", async () => {
  const openFiles = () =>
    readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`).endsWith(`/${page}`);
      } catch {
        return false;
      }
    }).length;
  const unread = open().pause();
  const later = open();

  unread.write(large.repeat(90));
  await expect.poll(openFiles).toBe(1);
  // Their turn would have come before these.
  later.write(short.repeat(90));
  let received = "";
  later.setEncoding("latin1").on("data", (text: string) => {
    received += text;
  });
  await expect.poll(() => received.split("HTTP/1.1 ").length).toBe(91);

  expect(openFiles()).toBe(1);
});

test("requests that a stranger leaves behind give their memory back", async () => {
  for (let round = 0; round < 2; round += 1) {
    const unread = Array.from({ length: 28 }, () => open().pause());
    for (const socket of unread) socket.write(`${large}${short.repeat(95)}`);
    // Together they would not fit twice.
    await expect.poll(gateway.inFlight).toBe(28 * 96);

    for (const socket of unread) socket.destroy();

    await expect.poll(gateway.inFlight).toBe(0);
  }
});
