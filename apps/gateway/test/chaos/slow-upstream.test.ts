import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpstreamProcess, type UpstreamProcess } from "../fake-upstream/upstream-process.mjs";
import { startGateway, type TestGateway } from "../running-gateway.js";

/** Long enough that what a busy machine adds does not matter. */
const usualMs = 100;
const callers = 8;
const usual = { always: { delayMs: usualMs } };
let steady: UpstreamProcess;
let changing: UpstreamProcess;
let gateway: TestGateway;
let texts = 0;

beforeAll(async () => {
  [steady, changing] = await Promise.all([
    startUpstreamProcess({ script: usual }),
    startUpstreamProcess({ script: usual }),
  ]);
  gateway = await startGateway(`
upstreams:
  steady: { provider: openai-compatible, baseUrl: "${steady.baseUrl}" }
  changing: { provider: openai-compatible, baseUrl: "${changing.baseUrl}" }
models:
  m: { type: embedding, dimensions: 8, targets: [{ upstream: steady, model: m }, { upstream: changing, model: m }] }`);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([steady.kill(), changing.kill()]);
});

test("an upstream that becomes ten times slower loses its share, and has it again when it recovers", async () => {
  // A busy machine makes an upstream look slow for a moment, which fades like everything else that was seen.
  const share = () => expect.poll(() => shareOfChanging(50), { timeout: 40_000 });
  await share().toBeGreaterThan(0.25);

  await changing.follow({ always: { delayMs: 10 * usualMs } });

  await share().toBeLessThan(0.05);
  expect(await shareOfChanging(200)).toBeLessThan(0.1);

  await changing.follow(usual);

  await share().toBeGreaterThan(0.25);
}, 150_000);

/** Sends so many requests, a few at a time, and tells how many of them the changing upstream has got. */
async function shareOfChanging(requests: number): Promise<number> {
  const { requests: before } = await changing.seen();
  let left = requests;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      texts += 1;
      const answer = await gateway.sendJson("/v1/embeddings", { model: "m", input: `text ${texts}` });
      expect(answer.status).toBe(200);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return ((await changing.seen()).requests - before) / requests;
}
