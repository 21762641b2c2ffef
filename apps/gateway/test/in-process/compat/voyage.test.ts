import { expect, test } from "vitest";
import { VoyageAIClient } from "voyageai";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { startFakeVoyage, voyageImageTokens, voyageKey } from "../providers/voyage/fake-voyage.js";
import { compatGateway } from "./compat-gateway.js";
import { vendorGateway } from "./vendor-gateway.js";

const at = vendorGateway(
  startFakeVoyage,
  (origin) => `
upstreams:
  voyage: { provider: voyage, baseUrl: "${origin}/v1", apiKey: ${voyageKey} }
models:
  voyage-multimodal-3.5: { type: embedding, dimensions: 1024, targets: [{ upstream: voyage, model: voyage-multimodal-3.5 }] }
  voyage-4-large: { type: embedding, dimensions: 1024, targets: [{ upstream: voyage, model: voyage-4-large }] }
`,
);

/** A gateway whose models have no input types. */
const plain = compatGateway();

const model = "voyage-multimodal-3.5";
const imageBase64 = `data:image/png;base64,${tinyPng.toString("base64")}`;
/** Retries would only take time. */
const once = { maxRetries: 0 };

const through = (apiKey = testKey) => new VoyageAIClient({ baseUrl: `${at.gateway}/v1`, apiKey });
const direct = () => new VoyageAIClient({ baseUrl: `${at.vendor}/v1`, apiKey: voyageKey });

test.each([{ inputType: "query" }, { inputType: "document" }, {}] as const)(
  "texts and images have the same vectors as at Voyage, with %j",
  async (options) => {
    const request = {
      model,
      inputs: [
        { content: [{ type: "text", text: "a cat" }] },
        {
          content: [
            { type: "text", text: "a pixel" },
            { type: "image_base64", imageBase64 },
          ],
        },
        { content: [{ type: "text", text: "a cat" }] },
      ],
      ...options,
      truncation: true,
    };

    const [own, ours] = await Promise.all([
      direct().multimodalEmbed(request, once),
      through().multimodalEmbed(request, once),
    ]);

    expect(ours.data).toEqual(own.data);
    expect([ours.object, ours.model]).toEqual([own.object, own.model]);
    expect(ours.usage?.totalTokens).toBe(6 + voyageImageTokens);
  },
);

test("texts alone go to the path of OpenAI's form, which it also reads", async () => {
  const request = { model: "voyage-4-large", input: ["a cat", "a dog"], inputType: "query" as const };

  const [own, ours] = await Promise.all([direct().embed(request, once), through().embed(request, once)]);

  expect(ours.data).toEqual(own.data);
  expect(ours.usage?.totalTokens).toBe(own.usage?.totalTokens);
});

test("texts go to a model without input types as well, with all that its Python client sends", async () => {
  const client = new VoyageAIClient({ baseUrl: `${plain.url}/v1`, apiKey: testKey });
  const request = { model: "m", input: ["a cat"], inputType: "query" as const, truncation: true };

  const { data } = await client.embed({ ...request, outputDimension: 16 }, once);

  expect(data?.map(({ embedding }) => embedding)).toEqual([vectorOf("a cat", 16)]);
});

test("its errors have the status, and a body with the detail", async () => {
  const embed = (client: VoyageAIClient, given: object) =>
    client.multimodalEmbed({ model, inputs: [{ content: [{ type: "text", text: "a" }] }], ...given }, once);
  const failure = (statusCode: number, detail: string) => ({
    name: "VoyageAIError",
    statusCode,
    body: { detail: expect.stringContaining(detail) },
  });

  await expect(embed(through(), { model: "nope" })).rejects.toMatchObject(
    failure(404, "The model `nope` does not exist"),
  );
  await expect(
    embed(through(), { inputs: [{ content: [{ type: "text", text: "word ".repeat(32_001) }] }] }),
  ).rejects.toMatchObject(failure(400, "'inputs[0]'"));
  await expect(embed(through("wrong"), {})).rejects.toMatchObject(
    failure(401, "Incorrect API key provided."),
  );
});
