import { CohereClientV2, CohereError } from "cohere-ai";
import { expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { cohereKey, startFakeCohere } from "../providers/cohere/fake-cohere.js";
import { signsOf } from "../providers/unit-vectors.js";
import { vendorGateway } from "./vendor-gateway.js";

const at = vendorGateway(
  startFakeCohere,
  (origin) => `
upstreams:
  cohere: { provider: cohere, baseUrl: "${origin}/v2", apiKey: ${cohereKey} }
models:
  embed-v4.0: { type: embedding, dimensions: 1536, matryoshka: true, inputType: document, targets: [{ upstream: cohere, model: embed-v4.0 }] }
`,
);

const model = "embed-v4.0";
const url = `data:image/png;base64,${tinyPng.toString("base64")}`;
/** Retries would only take time. */
const once = { maxRetries: 0 };

type EmbedRequest = Parameters<CohereClientV2["embed"]>[0];

/** The same call at Cohere and at the gateway. */
async function embedTwice(request: EmbedRequest) {
  const direct = new CohereClientV2({ baseUrl: at.vendor, token: cohereKey });
  const through = new CohereClientV2({ baseUrl: at.gateway, token: testKey });
  return Promise.all([direct.embed(request, once), through.embed(request, once)]);
}

/** The gateway writes the fewest digits that are the same float32. */
function float32({ float, ...others }: { readonly float?: number[][] }): object {
  return { ...others, float: float?.map((vector) => vector.map(Math.fround)) };
}

test.each<[string, EmbedRequest]>([
  ["documents", { model, texts: ["a cat", "a dog", "a cat"], inputType: "search_document" }],
  ["a query", { model, texts: ["a cat"], inputType: "search_query", truncate: "END" }],
  ["integers", { model, texts: ["a cat"], inputType: "clustering", embeddingTypes: ["int8"] }],
  ["positive integers", { model, texts: ["a cat"], inputType: "classification", embeddingTypes: ["uint8"] }],
  ["base64", { model, texts: ["a cat"], inputType: "search_query", embeddingTypes: ["base64"] }],
  ["a shorter vector", { model, texts: ["a"], inputType: "search_query", outputDimension: 256 }],
  ["two types", { model, texts: ["a"], inputType: "search_query", embeddingTypes: ["float", "base64"] }],
  ["an image", { model, images: [url], inputType: "image", embeddingTypes: ["float"] }],
  [
    "texts and images",
    {
      model,
      inputs: [
        {
          content: [
            { type: "text", text: "a pixel" },
            { type: "image_url", imageUrl: { url } },
          ],
        },
        { content: [{ type: "image_url", imageUrl: { url } }] },
      ],
      inputType: "search_document",
    },
  ],
])("%s are the same as at Cohere, with another address and key", async (_name, request) => {
  const [direct, through] = await embedTwice({ embeddingTypes: ["float"], ...request });

  expect(float32(through.embeddings)).toEqual(float32(direct.embeddings));
  expect(through.responseType).toBe(direct.responseType);
  expect(through.meta).toEqual({
    apiVersion: { version: "2" },
    billedUnits: { ...direct.meta?.billedUnits, inputTokens: direct.meta?.billedUnits?.inputTokens ?? 0 },
  });
});

test("bits are made from the floats that come with them", async () => {
  const client = new CohereClientV2({ baseUrl: at.gateway, token: testKey });

  const { embeddings } = await client.embed({
    model,
    texts: ["a cat"],
    inputType: "search_query",
    embeddingTypes: ["float", "ubinary"],
  });

  expect(embeddings.ubinary).toEqual(embeddings.float?.map(signsOf));
});

test("its errors have the status, and a body with the message", async () => {
  const through = (token: string) => new CohereClientV2({ baseUrl: at.gateway, token });
  const embed = (token: string, request: Partial<EmbedRequest>) =>
    through(token).embed({ model, texts: ["a"], inputType: "search_query", ...request }, once);
  const failure = (name: string, statusCode: number, message: string) => ({
    name,
    statusCode,
    body: { id: expect.stringMatching(/^req_/), message: expect.stringContaining(message) },
  });

  await expect(embed(testKey, { model: "nope" })).rejects.toMatchObject(
    failure("NotFoundError", 404, "The model `nope` does not exist"),
  );
  await expect(embed(testKey, { maxTokens: 5 })).rejects.toMatchObject(
    failure("BadRequestError", 400, "Unknown parameter: 'max_tokens'."),
  );
  await expect(embed(testKey, { texts: ["a", "word ".repeat(128_001)] })).rejects.toMatchObject(
    failure("BadRequestError", 400, "'texts[1]'"),
  );
  await expect(embed("wrong", {})).rejects.toMatchObject(
    failure("UnauthorizedError", 401, "Incorrect API key provided."),
  );
  await expect(
    through(testKey).rerank({ model: "rerank-v4.0", query: "a", documents: ["b"] }, once),
  ).rejects.toMatchObject(failure("NotFoundError", 404, "It has: POST /v2/embed."));
  expect(await embed("wrong", {}).catch((error) => error)).toBeInstanceOf(CohereError);
});
