import { expect, test } from "vitest";
import { startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { inputCounts } from "../../fake-upstream/input-counts.js";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { startGateway } from "../../gateway/in-process.js";

/** The reply is not in input order. Only `index` identifies the input. */
const shuffled = { width: 16, order: "reversed" } as const;
const inputs = Array.from({ length: 2048 }, (_, index) => `text number ${index}`);

test.each([1, 7, 100])(
  "2,048 inputs come back right and in order from an upstream that takes %d at once",
  async (cap) => {
    const upstream = await startFakeUpstream({ script: { always: { ...shuffled, inputsMax: cap } } });
    const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, targets: [{ upstream: fake, model: m, maxConcurrency: 16 }] } }`);

    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: inputs });
    const again = await gateway.sendJson("/v1/embeddings", { model: "m", input: inputs.slice(0, cap) });

    expect(response.status).toBe(200);
    const body = (await response.json()) as {
      data: { index: number; embedding: number[] }[];
      usage: { prompt_tokens: number };
    };
    expect(body.data.map(({ index }) => index)).toEqual(inputs.map((_, index) => index));
    for (const [index, { embedding }] of body.data.entries()) {
      expect(embedding).toEqual(vectorOf(inputs[index], 16));
    }
    expect(body.usage.prompt_tokens).toBe(inputs.join("").length);
    expect(again.status).toBe(200);
    // The limit is learned once, and remembered.
    expect(inputCounts(upstream, 422)).toEqual([2048]);
    expect(Math.max(...inputCounts(upstream, 200))).toBe(cap);
    await gateway.stop();
    await upstream.close();
  },
);

test("a limit that the operator writes down is never tried", async () => {
  const upstream = await startFakeUpstream({ script: { always: { ...shuffled, inputsMax: 100 } } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, targets: [{ upstream: fake, model: m, maxInputs: 100, maxTokensPerRequest: 900 }] } }`);

  const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: inputs.slice(0, 300) });

  expect(response.status).toBe(200);
  expect(inputCounts(upstream, 422)).toEqual([]);
  // 900 tokens are at least 900 bytes, which hold at most 69 of these texts.
  expect(Math.max(...inputCounts(upstream, 200))).toBeLessThanOrEqual(69);
  await gateway.stop();
  await upstream.close();
});

test("the width is the requested one, whether the upstream or the gateway shortens the vectors", async () => {
  const upstream = await startFakeUpstream({ script: { always: shuffled } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, matryoshka: true, targets: [{ upstream: fake, model: m, dimensions: emulate }] } }`);

  const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "a", dimensions: 4 });
  const { data } = (await response.json()) as { data: [{ embedding: number[] }] };
  const whole = vectorOf("a", 16).slice(0, 4);

  expect(Math.hypot(...data[0].embedding)).toBeCloseTo(1, 6);
  const scale = Math.hypot(...whole);
  expect(data[0].embedding.map((value) => value.toFixed(6))).toEqual(
    whole.map((value) => (value / scale).toFixed(6)),
  );
  await gateway.stop();
  await upstream.close();
});

test("base64 is given by an upstream that only knows numbers, and numbers are the same either way", async () => {
  const upstream = await startFakeUpstream({ script: { always: { ...shuffled, encoding: "float" } } });
  const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, targets: [{ upstream: fake, model: m }] } }`);

  const asked = async (encoding_format: string) => {
    const response = await gateway.sendJson("/v1/embeddings", { model: "m", input: "a", encoding_format });
    return ((await response.json()) as { data: [{ embedding: string | number[] }] }).data[0].embedding;
  };

  const bytes = Buffer.from((await asked("base64")) as string, "base64");
  expect([...new Float32Array(bytes.buffer, bytes.byteOffset, 16)]).toEqual(vectorOf("a", 16));
  expect(await asked("float")).toEqual(vectorOf("a", 16));
  await gateway.stop();
  await upstream.close();
});

test.each([
  ["float", "float"],
  ["base64", "base64"],
  ["none", undefined],
])(
  "an upstream that only takes %s is asked for nothing else, and callers get the form they ask for",
  async (encoding, sent) => {
    const upstream = await startFakeUpstream({ script: { always: shuffled } });
    const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 16, targets: [{ upstream: fake, model: m, encoding: ${encoding} }] } }`);

    for (const encoding_format of ["float", "base64"]) {
      const response = await gateway.sendJson("/v1/embeddings", {
        model: "m",
        input: "a",
        dimensions: 16,
        encoding_format,
      });
      const [{ embedding }] = ((await response.json()) as { data: [{ embedding: string | number[] }] }).data;
      expect(typeof embedding).toBe(encoding_format === "float" ? "object" : "string");
    }

    expect(upstream.received.map(({ body }) => [body.encoding_format, body.dimensions])).toEqual([
      [sent, undefined],
      [sent, undefined],
    ]);
    await gateway.stop();
    await upstream.close();
  },
);
