import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AdminClient } from "../../../gateway/admin-client.js";
import { type InProcessGateway, startGateway } from "../../../gateway/in-process.js";
import { imageNumber, imagePart } from "../contents.js";
import { describeContents } from "../contents-suite.js";
import type { StrictServer } from "../strict-server.js";
import { bedrockContents, bedrockCredentials } from "./content-suites.js";
import { failure, startFakeBedrock } from "./fake-bedrock.js";

for (const suite of bedrockContents) describeContents(suite);

describe("images at Bedrock", () => {
  let fake: StrictServer;
  let gateway: InProcessGateway;
  beforeAll(async () => {
    fake = await startFakeBedrock();
    const model = (name: string, keys = "") =>
      `{ type: embedding, ${keys} retries: { max: 0 }, targets: [{ upstream: bedrock, model: "${name}" }] }`;
    gateway = await startGateway(`
upstreams:
  bedrock: { provider: bedrock, baseUrl: "${fake.origin}", ${bedrockCredentials} }
models:
  titan: ${model("amazon.titan-embed-image-v1")}
  nova: ${model("amazon.nova-2-multimodal-embeddings-v1:0", "inputType: document, price: { perMillionTokens: 0.135, perInputImage: 0.00006 },")}
`);
  });
  beforeEach(() => {
    fake.bodies.length = 0;
  });
  afterAll(async () => {
    await gateway.stop();
    fake.close();
  });

  const send = (model: string, ...content: object[]) =>
    gateway.sendJson("/v1/embeddings", { model, input: ["a", { content }] });
  const errorOf = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as { error: object }).error,
  });

  test("a failure in Titan's reply of status 200 is not a vector", async () => {
    const embedding = Array.from({ length: 1024 }, () => 0.1);
    fake.scripted.push({ body: { embedding, inputTextTokenCount: 0, message: "The model failed." } });

    const response = await gateway.sendJson("/v1/embeddings", {
      model: "titan",
      input: [{ content: [imagePart(await imageNumber(1))] }],
    });

    expect(await errorOf(response)).toMatchObject({ status: 502, code: "upstream_error" });
  });

  test("a second text, and an image with too many pixels, are refused before Titan is called", async () => {
    const large = await sharp({ create: { width: 2049, height: 8, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    const text = { type: "text", text: "a" };

    const texts = await errorOf(await send("titan", text, text, imagePart(await imageNumber(2))));
    const pixels = await errorOf(await send("titan", imagePart(large)));

    expect(texts).toMatchObject({ status: 400, code: "unsupported_modality", param: "input[1]" });
    expect(pixels).toMatchObject({ status: 400, code: "invalid_image_file", param: "input[1]" });
    expect(fake.bodies.filter((body) => "inputImage" in (body as object))).toEqual([]);
  });

  test("a blocked image is the caller's 400", async () => {
    fake.scripted.push(failure(400, "ValidationException", "This image was blocked by our content filters."));

    const response = await gateway.sendJson("/v1/embeddings", {
      model: "titan",
      input: [{ content: [imagePart(await imageNumber(3))] }],
    });

    expect(await errorOf(response)).toMatchObject({
      status: 400,
      code: "moderation_blocked",
      param: "input[0]",
    });
  });

  test("Nova gets one image with its type and detail, which costs $0.00006", async () => {
    const image = await imageNumber(4, "webp");

    const response = await gateway.sendJson("/v1/embeddings", {
      model: "nova",
      input: [{ content: [imagePart(image, "webp")] }],
    });

    expect(response.status).toBe(200);
    expect(fake.bodies).toEqual([
      {
        schemaVersion: "nova-multimodal-embed-v1",
        taskType: "SINGLE_EMBEDDING",
        singleEmbeddingParams: {
          embeddingPurpose: "GENERIC_INDEX",
          image: { detailLevel: "STANDARD_IMAGE", format: "webp", source: { bytes: image } },
        },
      },
    ]);
    expect(await new AdminClient(gateway.url).rowOf(response)).toMatchObject({ cost_usd: 0.00006 });
  });
});
