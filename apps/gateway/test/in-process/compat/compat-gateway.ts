import { afterAll, beforeAll, expect } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../fake-upstream/fake-upstream.mjs";
import { type InProcessGateway, startGateway } from "../../gateway/in-process.js";

export interface CompatGateway {
  readonly url: string;
  readonly upstream: FakeUpstream;
}

/** Fields of OpenAI's own embeddings and images requests. */
const officialFields = new Set([
  ...["model", "input", "encoding_format", "dimensions", "user"],
  ...["prompt", "n", "size", "quality", "background", "moderation", "style", "stream", "partial_images"],
  ...["response_format", "output_format", "output_compression", "input_fidelity"],
]);

/**
 * For the tests of one client: a gateway in front of an upstream that takes ten inputs at a time and returns them in
 * reverse. No field of the client that OpenAI does not know may reach it. The models: `m` and `org/m` embed, `image`
 * creates and edits images.
 */
export function compatGateway(): CompatGateway {
  let upstream: FakeUpstream;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    upstream = await startFakeUpstream({
      script: { always: { width: 16, inputsMax: 10, order: "reversed" } },
    });
    const target = (model: string) => `targets: [{ upstream: capped, model: ${model} }]`;
    gateway = await startGateway(`
upstreams: { capped: { provider: openai-compatible, baseUrl: "${upstream.baseUrl}" } }
models:
  m: { type: embedding, dimensions: 16, ${target("m")} }
  org/m: { type: embedding, dimensions: 16, ${target("m")} }
  image: { type: image, profile: gpt-image, ${target("image")} }`);
  });
  afterAll(async () => {
    await gateway.stop();
    await upstream.close();
    const fields = upstream.received.flatMap(({ body }) => Object.keys(body));
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter((name) => !officialFields.has(name))).toEqual([]);
  });
  return {
    get url() {
      return gateway.url;
    },
    get upstream() {
      return upstream;
    },
  };
}
