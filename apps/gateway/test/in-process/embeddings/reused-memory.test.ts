import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";
import { parseResponse } from "../../gateway/raw-request.js";
import { testKey } from "../../gateway/test-gateway.js";

/** A reply with one vector has 31 KB as JSON, so the memory of 34 replies is freed at a time. */
const width = 1536;
const callers = 16;
const requestsEach = 6;

let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream({ script: { always: { width } } });
  const target = "targets: [{ upstream: fake, model: m }]";
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  plain: { type: embedding, dimensions: ${width}, ${target} }
  cached: { type: embedding, dimensions: ${width}, cache: { ttl: 1h }, ${target} }
  joined: { type: embedding, dimensions: ${width}, coalesce: { windowMs: 2, maxInputs: 4 }, ${target} }`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

function embed(model: string, input: string, signal?: AbortSignal): Promise<Response> {
  return gateway.sendJson("/v1/embeddings", { model, input }, { ...(signal && { signal }) });
}

/** Every third input is one that another caller sends as well. */
function inputOf(caller: number, turn: number): string {
  return turn % 3 === 0 ? `shared ${turn}` : `${caller} ${turn}`;
}

test.each(["plain", "cached", "joined"])(
  "no response of the model %s has bytes of another while the memory of small replies is freed",
  async (model) => {
    const call = async (caller: number) => {
      for (let turn = 0; turn < requestsEach; turn += 1) {
        const leaving = new AbortController();
        const left = embed(model, `left ${caller} ${turn}`, leaving.signal).catch(() => undefined);
        const input = inputOf(caller, turn);
        const response = await embed(model, input);
        leaving.abort();
        expect(response.status).toBe(200);
        const { data } = (await response.json()) as { data: { embedding: number[] }[] };
        // Vectors from the cache have fewer digits.
        expect(data.map(({ embedding }) => Float32Array.from(embedding))).toEqual([
          Float32Array.from(vectorOf(input, width)),
        ]);
        await left;
      }
    };

    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  },
);

test("a caller that reads late gets its own bytes: nothing is freed before it was sent", async () => {
  // As many requests as a connection may have, and more than its buffers hold.
  const requests = Array.from({ length: 100 }, (_, index) =>
    Array.from({ length: 4 }, (_, place) => `late ${index} ${place}`),
  );
  const before = upstream.seen().requests;
  const socket = connect({ port: Number(new URL(gateway.url).port), host: "127.0.0.1" });
  socket.pause();
  await once(socket, "connect");
  socket.write(requests.map((input) => rawRequest({ model: "plain", input })).join(""));
  await expect.poll(() => upstream.seen().requests - before, { timeout: 60_000 }).toBe(requests.length);
  for (let turn = 0; turn < 100; turn += 1) await (await embed("plain", `between ${turn}`)).text();

  const texts = await readResponses(socket, requests.length);

  socket.destroy();
  for (const [index, inputs] of requests.entries()) {
    const { data } = JSON.parse(texts[index] ?? "");
    for (const [place, input] of inputs.entries())
      expect(data[place].embedding).toEqual(vectorOf(input, width));
  }
});

function rawRequest(body: object): string {
  const text = JSON.stringify(body);
  const head = [
    "POST /v1/embeddings HTTP/1.1",
    "host: localhost",
    `authorization: Bearer ${testKey}`,
    "content-type: application/json",
    `content-length: ${text.length}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/** Reads responses that come one after the other. */
async function readResponses(socket: ReturnType<typeof connect>, count: number): Promise<string[]> {
  const bodies: string[] = [];
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const response = parseResponse(received, { closed: false });
      if (response === undefined) break;
      bodies.push(response.body);
      const headBytes = received.indexOf("\r\n\r\n") + 4;
      received = received.subarray(headBytes + Number(response.headers["content-length"]));
    }
    if (bodies.length === count) break;
  }
  return bodies;
}
