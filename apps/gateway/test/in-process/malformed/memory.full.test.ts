import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** The validator keeps its compiled schemas: 8 to 32 KB for each content type it has met, so at least 16 MB here. */
const requests = 2000;
const callers = 20;
const growthBytesMax = 8 * 1024 * 1024;
let upstream: FakeUpstream;
let gateway: InProcessGateway;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { good: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: good }] } }
`);
});
afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

test("two thousand parameters of a content type leave no trace", async () => {
  const send = (index: number) =>
    gateway.sendJson(
      "/v1/embeddings",
      { model: "good", input: "a" },
      { headers: { "content-type": `application/json; p=${index}` } },
    );

  await expectNoGrowth(send);
});

test("two thousand content types of a request without a body leave no trace, and need no key", async () => {
  const send = (index: number) =>
    fetch(`${gateway.url}/healthz`, { headers: { "content-type": `a/b${index}` } });

  await expectNoGrowth(send);
});

async function expectNoGrowth(send: (index: number) => Promise<Response>): Promise<void> {
  for (let index = 0; index < 100; index += 1) await (await send(0)).arrayBuffer();
  const before = heapBytes();
  for (let index = 0; index < requests; index += callers) {
    const responses = await Promise.all(Array.from({ length: callers }, (_, caller) => send(index + caller)));
    await Promise.all(responses.map((response) => response.arrayBuffer()));
  }
  upstream.received.length = 0;
  gateway.logLines.length = 0;
  // Garbage may take more than one collection. Leaks stay.
  await expect.poll(() => heapBytes() - before, { interval: 500 }).toBeLessThan(growthBytesMax);
}

function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}
