import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

const width = 3072;
const always = { width, order: "reversed" } as const;
const inputs = (count: number) => Array.from({ length: count }, (_, index) => `text ${index}`);

interface Stage {
  readonly upstream: FakeUpstream;
  readonly gateway: InProcessGateway;
  readonly ask: (count: number, init?: RequestInit & { encoding?: string }) => Promise<Response>;
}

async function onStage(run: (stage: Stage) => Promise<void>): Promise<void> {
  const upstream = await startFakeUpstream({ script: { always } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: embedding, dimensions: ${width}, targets: [{ upstream: fake, model: m }] }
  cached: { type: embedding, dimensions: ${width}, cache: { ttl: 1h }, targets: [{ upstream: fake, model: m }] }`);
  const ask: Stage["ask"] = (count, { encoding = "float", ...init } = {}) =>
    gateway.sendJson("/v1/embeddings", { model: "m", input: inputs(count), encoding_format: encoding }, init);
  try {
    await run({ upstream, gateway, ask });
  } finally {
    await gateway.stop();
    await upstream.close();
  }
}

/** Compares a sample of the response's vectors with those of its inputs. */
async function expectAll(response: Response, count: number): Promise<void> {
  const { data } = (await response.json()) as { data: { embedding: string | number[] }[] };
  expect(data).toHaveLength(count);
  for (const place of [0, 1, count >> 1, count - 1]) {
    const embedding = data[place]?.embedding ?? [];
    const bytes =
      typeof embedding === "string"
        ? Buffer.from(embedding, "base64")
        : Buffer.from(Float32Array.from(embedding).buffer);
    expect(bytes.equals(Buffer.from(Float32Array.from(vectorOf(`text ${place}`, width)).buffer))).toBe(true);
  }
}

test.each(["float", "base64"])("2,048 vectors of 3,072 numbers come through as %s", (encoding) =>
  onStage(async ({ ask }) => expectAll(await ask(2048, { encoding }), 2048)),
);

test.each(["float", "base64"])("one response after the other comes through as %s", (encoding) =>
  onStage(async ({ ask }) => {
    for (let turn = 0; turn < 12; turn += 1) await expectAll(await ask(300, { encoding }), 300);
  }),
);

test("two callers that wait for the same reply both get all of it, even if one reads after the other is done", () =>
  onStage(async ({ ask, upstream, gateway }) => {
    upstream.follow({ always: { ...always, isHeld: true } });
    const asked = [ask(1000), ask(1000)] as const;
    await expect.poll(gateway.inFlight).toBe(2);
    upstream.follow({ always });
    const [quick, slow] = await Promise.all(asked);

    await expectAll(quick, 1000);
    await setImmediate();
    await expectAll(slow, 1000);
    expect(inputCounts(upstream, 200)).toEqual([1000]);
  }));

test("a caller that leaves in the middle of its response takes nothing from the other", () =>
  onStage(async ({ ask, upstream, gateway }) => {
    upstream.follow({ always: { ...always, isHeld: true } });
    const leaving = new AbortController();
    const asked = [ask(1000, { signal: leaving.signal }), ask(1000)] as const;
    await expect.poll(gateway.inFlight).toBe(2);
    upstream.follow({ always });
    const [left, slow] = await Promise.all(asked);

    await left.body?.getReader().read();
    leaving.abort();
    await expect.poll(gateway.inFlight).toBe(1);
    await expectAll(slow, 1000);
  }));

test("the cache keeps a large response's vectors", () =>
  onStage(async ({ gateway }) => {
    const body = { model: "cached", input: inputs(2048), encoding_format: "base64" };

    const first = await gateway.sendJson("/v1/embeddings", body);
    await expectAll(first, 2048);
    expect(first.headers.get("x-gateway-cache")).toBe("miss");

    // The response does not wait for the cache, which is written in small steps.
    const again = async () => {
      const response = await gateway.sendJson("/v1/embeddings", body);
      await expectAll(response, 2048);
      return response.headers.get("x-gateway-cache");
    };
    await expect.poll(again, { timeout: 60_000 }).toBe("hit");
  }));

test("concurrent responses do not mix while other callers leave in the middle", () =>
  onStage(async ({ gateway }) => {
    const ask = (texts: readonly string[], signal?: AbortSignal) =>
      gateway.sendJson(
        "/v1/embeddings",
        { model: "m", input: texts, encoding_format: "base64" },
        { ...(signal && { signal }) },
      );
    const stay = async (caller: number) => {
      for (let turn = 0; turn < 6; turn += 1) {
        const texts = Array.from({ length: 120 }, (_, index) => `text ${caller} ${turn} ${index}`);
        const { data } = (await (await ask(texts)).json()) as { data: { embedding: string }[] };
        expect(data.map(({ embedding }) => embedding)).toEqual(texts.map(base64Of));
      }
    };
    const leave = async (caller: number) => {
      for (let turn = 0; turn < 6; turn += 1) {
        const leaving = new AbortController();
        const texts = Array.from({ length: 120 }, (_, index) => `text ${caller} ${turn} ${index}`);
        const response = await ask(texts, leaving.signal);
        await response.body?.getReader().read();
        leaving.abort();
      }
    };

    await Promise.all([stay(1), stay(2), leave(3), stay(4), leave(5), stay(6)]);
    await expect.poll(gateway.inFlight).toBe(0);
  }));

function base64Of(text: string): string {
  return Buffer.from(Float32Array.from(vectorOf(text, width)).buffer).toString("base64");
}
