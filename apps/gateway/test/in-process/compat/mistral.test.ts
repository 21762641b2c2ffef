import { Mistral } from "@mistralai/mistralai";
import { expect, test } from "vitest";
import { testKey } from "../../gateway/test-gateway.js";
import { mistralKey, startFakeMistral } from "../providers/mistral/fake-mistral.js";
import { vendorGateway } from "./vendor-gateway.js";

const at = vendorGateway(
  startFakeMistral,
  (origin) => `
upstreams:
  mistral: { provider: mistral, baseUrl: "${origin}/v1", apiKey: ${mistralKey} }
models:
  mistral-embed: { type: embedding, dimensions: 1024, targets: [{ upstream: mistral, model: mistral-embed }] }
  codestral-embed: { type: embedding, dimensions: 1536, matryoshka: true, targets: [{ upstream: mistral, model: codestral-embed }] }
`,
);

type EmbeddingRequest = Parameters<Mistral["embeddings"]["create"]>[0];

const through = (apiKey = testKey) => new Mistral({ serverURL: at.gateway, apiKey });

/** The same call at Mistral and at the gateway. */
function embedTwice(request: EmbeddingRequest) {
  const direct = new Mistral({ serverURL: at.vendor, apiKey: mistralKey });
  return Promise.all([direct.embeddings.create(request), through().embeddings.create(request)]);
}

test.each<[string, EmbeddingRequest]>([
  ["a text", { model: "mistral-embed", inputs: "a cat" }],
  ["texts", { model: "mistral-embed", inputs: ["a cat", "a dog", "a cat"] }],
  [
    "floats by name",
    { model: "codestral-embed", inputs: ["a"], encodingFormat: "float", outputDtype: "float" },
  ],
  ["a shorter vector", { model: "codestral-embed", inputs: ["a cat"], outputDimension: 256 }],
  ["the default width", { model: "mistral-embed", inputs: ["a cat"], outputDimension: null }],
  ["integers", { model: "codestral-embed", inputs: ["a cat"], outputDtype: "int8" }],
])("%s are the same as at Mistral, with another address and key", async (_name, request) => {
  const [direct, created] = await embedTwice(request);

  const floats = ({ data }: typeof direct) => data.map(({ embedding }) => embedding?.map(Math.fround));
  expect(floats(created)).toEqual(floats(direct));
  expect(created).toMatchObject({ id: expect.stringMatching(/^req_/), object: "list", model: request.model });
  expect(created.data.map(({ index }) => index)).toEqual(direct.data.map(({ index }) => index));
});

test("more texts than Mistral takes at once", async () => {
  const inputs = Array.from({ length: 200 }, (_, index) => `text ${index}`);

  const { data } = await through().embeddings.create({ model: "mistral-embed", inputs });

  expect(data).toHaveLength(200);
});

test("its errors have the status and the message", async () => {
  const embed = (model: string, apiKey?: string) => through(apiKey).embeddings.create({ model, inputs: "a" });

  await expect(embed("nope")).rejects.toMatchObject({
    statusCode: 404,
    body: expect.stringContaining("The model `nope` does not exist"),
  });
  await expect(embed("mistral-embed", "wrong")).rejects.toMatchObject({
    statusCode: 401,
    body: expect.stringContaining("Incorrect API key provided."),
  });
});

test("it lists the models as those of a type that it does not know", async () => {
  const { data } = await through().models.list();

  expect(data).toMatchObject([
    { type: "UNKNOWN", raw: { id: "mistral-embed", type: "embedding" } },
    { type: "UNKNOWN", raw: { id: "codestral-embed", type: "embedding" } },
  ]);
});
