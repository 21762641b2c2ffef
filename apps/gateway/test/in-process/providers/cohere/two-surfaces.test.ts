import { expect, test } from "vitest";
import { startGateway } from "../../../gateway/in-process.js";
import { bedrockKey, bedrockRegion, startFakeBedrock } from "../bedrock/fake-bedrock.js";
import { cohereKey, startFakeCohere } from "./fake-cohere.js";

test.each([
  ["numbers", {}],
  ["base64", { encoding_format: "base64" }],
  ["shorter vectors", { dimensions: 512 }],
  ["queries", { input_type: "query" }],
  ["integers", { output_dtype: "int8" }],
])(
  "a request that fails over from Cohere to its model on Bedrock gets the same: %s",
  async (_name, options) => {
    const cohere = await startFakeCohere();
    const bedrock = await startFakeBedrock();
    const gateway = await startGateway(`
upstreams:
  cohere: { provider: cohere, baseUrl: "${cohere.origin}/v2", apiKey: ${cohereKey} }
  bedrock: { provider: bedrock, region: ${bedrockRegion}, baseUrl: "${bedrock.origin}", apiKey: ${bedrockKey} }
models:
  m:
    type: embedding
    dimensions: 1536
    matryoshka: true
    inputType: document
    targets:
      - { upstream: cohere, model: embed-v4.0, space: cohere-embed-v4, tier: 1 }
      - { upstream: bedrock, model: "us.cohere.embed-v4:0", space: cohere-embed-v4, tier: 2 }
`);
    const embed = async () => {
      const request = { model: "m", input: ["one text", "another"], ...options };
      const response = await gateway.sendJson("/v1/embeddings", request);
      return {
        status: response.status,
        upstream: response.headers.get("x-gateway-upstream"),
        body: (await response.json()) as Record<string, unknown>,
      };
    };

    const first = await embed();
    cohere.scripted.push({ status: 401, body: { id: "e0", message: "invalid api token" } });
    const second = await embed();

    expect([first.status, first.upstream, second.status, second.upstream]).toEqual([
      200,
      "cohere",
      200,
      "bedrock",
    ]);
    const { id } = first.body;
    expect({ ...second.body, id }).toEqual(first.body);
    await gateway.stop();
    cohere.close();
    bedrock.close();
  },
);
