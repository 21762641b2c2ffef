import { connect, type Socket } from "node:net";
import { getHeapStatistics } from "node:v8";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Strangers who pipeline, while a caller with a key works. */
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

/** Statuses of small embeddings, one after the other. */
async function embed(count: number, after: () => void = () => undefined): Promise<number[]> {
  const statuses: number[] = [];
  for (let number = 0; number < count; number += 1) {
    const response = await gateway.sendJson("/v1/embeddings", { model: "text", input: `text ${number}` });
    await response.arrayBuffer();
    statuses.push(response.status);
    after();
  }
  return statuses;
}

test.each([4, 24])(
  "while %d connections pipeline 2 MB without a key again and again, a key's requests are answered",
  async (connections) => {
    const flood = Buffer.from(short.repeat(2_000_000 / short.length));
    const heapBytes = () => getHeapStatistics().used_heap_size;
    let isOver = false;
    let floods = 0;
    const pour = () => {
      if (isOver) return;
      floods += 1;
      const socket = open().on("close", () => setImmediate(pour));
      socket.resume().write(flood);
    };
    const before = heapBytes();
    let most = before;

    for (let number = 0; number < connections; number += 1) pour();
    const statuses: number[] = [];
    while (floods <= connections) {
      const some = await embed(10, () => {
        most = Math.max(most, heapBytes());
      });
      statuses.push(...some);
    }
    isOver = true;

    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(most - before).toBeLessThan(200_000_000);
  },
);
