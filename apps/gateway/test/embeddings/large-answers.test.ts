import { expect, test } from "vitest";
import { startFakeUpstream } from "../fake-upstream/fake-upstream.mjs";
import { vectorOf } from "../fake-upstream/vectors.mjs";
import { startGateway } from "../running-gateway.js";

test.each(["float", "base64"])(
  "2,048 vectors of 3,072 numbers come through as %s",
  async (encoding_format) => {
    const upstream = await startFakeUpstream({ script: { always: { width: 3072, order: "reversed" } } });
    const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models: { m: { type: embedding, dimensions: 3072, targets: [{ upstream: fake, model: m }] } }`);
    const input = Array.from({ length: 2048 }, (_, index) => `text ${index}`);

    const answer = await gateway.sendJson("/v1/embeddings", { model: "m", input, encoding_format });

    const { data } = (await answer.json()) as { data: { embedding: string | number[] }[] };
    expect(data).toHaveLength(2048);
    for (const place of [0, 1, 1023, 2047]) {
      const embedding = data[place]?.embedding ?? [];
      const bytes =
        typeof embedding === "string"
          ? Buffer.from(embedding, "base64")
          : Buffer.from(Float32Array.from(embedding).buffer);
      expect(bytes.equals(Buffer.from(Float32Array.from(vectorOf(`text ${place}`, 3072)).buffer))).toBe(true);
    }
    await gateway.stop();
    await upstream.close();
  },
  60_000,
);
