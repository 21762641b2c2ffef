import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { lies } from "../../fake-upstream/lies.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { startGateway } from "../../gateway/in-process.js";

/** The others are about images. */
const embeddingLies = Object.keys(lies).filter((lie) => !/image|stream/.test(lie));
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(() => upstream.close());

test.each(embeddingLies)(
  "the lie %s is found out, and no caller gets it where another target is honest",
  async (lie) => {
    const gateway = await startGateway(`
upstreams: { fake: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  alone: { type: embedding, dimensions: 8, targets: [{ upstream: fake, model: ${lie} }] }
  helped:
    type: embedding
    dimensions: 8
    targets:
      - { upstream: fake, model: ${lie}, space: one }
      - { upstream: fake, model: honest, space: one, tier: 2 }`);
    const ask = (model: string, encoding_format: string) =>
      gateway.sendJson("/v1/embeddings", { model, input: ["a", "b"], encoding_format });

    const helped = await ask("helped", "float");
    const found = [await ask("alone", "float"), await ask("alone", "base64")];

    const { data } = (await helped.json()) as { data: { embedding: number[] }[] };
    expect(data.map(({ embedding }) => embedding)).toEqual([vectorOf("a", 8), vectorOf("b", 8)]);
    expect(helped.headers.get("x-gateway-attempts")).toBe("2");
    for (const response of found) {
      const { error } = (await response.json()) as { error: { code: string } };
      expect([response.status, error.code]).toEqual([502, "upstream_invalid_reply"]);
    }
    await gateway.stop();
  },
);
