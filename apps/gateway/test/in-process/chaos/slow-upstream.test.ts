import { afterAll, beforeAll, expect, test } from "vitest";
import { startUpstreamProcess, type UpstreamProcess } from "../../fake-upstream/upstream-process.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

/** Long enough that a busy machine's delays matter little. */
const usualMs = 100;
const callers = 8;
const usual = { always: { delayMs: usualMs } };
let steady: UpstreamProcess;
let changing: UpstreamProcess;
let gateway: InProcessGateway;
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
  // A busy machine makes an upstream look slow for a while. The average forgets it.
  const share = () => expect.poll(() => shareOfChanging(50), { timeout: 90_000 });
  await share().toBeGreaterThan(0.25);

  await changing.follow({ always: { delayMs: 10 * usualMs } });

  await share().toBeLessThan(0.05);
  await expect.poll(() => shareOfChanging(200), { timeout: 90_000 }).toBeLessThan(0.1);

  await changing.follow(usual);

  await share().toBeGreaterThan(0.25);
}, 300_000);

/** Sends some requests, a few at a time. Returns the share that the changing upstream has received. */
async function shareOfChanging(requests: number): Promise<number> {
  const { requests: before } = await changing.seen();
  let left = requests;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      texts += 1;
      const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: `text ${texts}` });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return ((await changing.seen()).requests - before) / requests;
}
