import { AzureOpenAI as AzureOpenAI7, toFile } from "openai";
import { AzureOpenAI as AzureOpenAI4 } from "openai-4";
import { AzureOpenAI as AzureOpenAI6 } from "openai-6";
import { describe, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { compatGateway } from "./compat-gateway.js";

const gateway = compatGateway();
const apiVersion = "2024-10-21";
const b64_json = tinyPng.toString("base64");

// The calls match the newest version; only some types have changed since.
const versions = [
  { version: "7", AzureOpenAI: AzureOpenAI7 },
  { version: "6", AzureOpenAI: AzureOpenAI6 as unknown as typeof AzureOpenAI7 },
  { version: "4", AzureOpenAI: AzureOpenAI4 as unknown as typeof AzureOpenAI7 },
];

describe.each(versions)("AzureOpenAI of openai-node $version, its endpoint changed", ({ AzureOpenAI }) => {
  const options = () => ({ endpoint: gateway.url, apiVersion, maxRetries: 0 });

  test("the model of each request is the deployment", async () => {
    const client = new AzureOpenAI({ ...options(), apiKey: testKey });
    const input = Array.from({ length: 25 }, (_, index) => `text ${index}`);

    const embedded = await client.embeddings.create({ model: "m", input });
    const created = await client.images.generate({ model: "image", prompt: "a fox" });

    expect(embedded.data.map(({ embedding }) => embedding)).toEqual(input.map((text) => vectorOf(text, 16)));
    expect(created.data).toEqual([{ b64_json }]);
  });

  test("a model id with a slash", async () => {
    const client = new AzureOpenAI({ ...options(), apiKey: testKey });

    const { data, model } = await client.embeddings.create({ model: "org/m", input: "a" });

    expect(model).toBe("org/m");
    expect(data[0]?.embedding).toEqual(vectorOf("a", 16));
  });

  test("the client's deployment counts, whatever model the request names", async () => {
    const embeddings = new AzureOpenAI({ ...options(), apiKey: testKey, deployment: "m" }).embeddings;
    const { images } = new AzureOpenAI({ ...options(), apiKey: testKey, deployment: "image" });
    const image = new File([new Uint8Array(tinyPng)], "photo.png", { type: "image/png" });

    const embedded = await embeddings.create({ model: "text-embedding-ada-002", input: "a" });
    const created = await images.generate({ model: "", prompt: "a fox" });
    const edited = await images.edit({ model: "gpt-image-2", prompt: "a fox", image });

    expect(embedded.data[0]?.embedding).toEqual(vectorOf("a", 16));
    expect([created.data, edited.data]).toEqual([[{ b64_json }], [{ b64_json }]]);
  });

  test("it lists the models, with a deployment and without", async () => {
    const client = new AzureOpenAI({ ...options(), apiKey: testKey });
    const deployed = new AzureOpenAI({ ...options(), apiKey: testKey, deployment: "m" });

    const lists = await Promise.all([client.models.list(), deployed.models.list()]);

    for (const { data } of lists) expect(data.map(({ id }) => id)).toEqual(["m", "org/m", "image"]);
  });

  test.each([undefined, "m"])(
    "files and batches, from the upload to the results, deployment %s",
    async (name) => {
      const deployment = name === undefined ? {} : { deployment: name };
      const { files, batches } = new AzureOpenAI({ ...options(), apiKey: testKey, ...deployment });
      const lines = ["a", "b"].map((input) => {
        const body = { model: "m", input, encoding_format: "float" };
        return JSON.stringify({ custom_id: input, method: "POST", url: "/v1/embeddings", body });
      });

      const file = await files.create({
        file: await toFile(Buffer.from(lines.join("\n")), "lines.jsonl"),
        purpose: "batch",
      });
      const { id } = await batches.create({
        input_file_id: file.id,
        endpoint: "/v1/embeddings",
        completion_window: "24h",
      });
      const statusOf = async () => (await batches.retrieve(id)).status;
      await expect.poll(statusOf, { timeout: 90_000 }).toBe("completed");
      const { output_file_id: output } = await batches.retrieve(id);
      const results = (await (await files.content(output ?? "")).text()).trim().split("\n");
      const { data: listed } = await batches.list();
      const { data: all } = await files.list();

      const vectors = results.map((line) => JSON.parse(line).response.body.data[0].embedding);
      expect(vectors).toEqual([vectorOf("a", 16), vectorOf("b", 16)]);
      expect(listed[0]?.id).toBe(id);
      expect(all.map((one) => one.id)).toEqual(expect.arrayContaining([file.id, output]));
      expect(await files.retrieve(file.id)).toMatchObject({ filename: "lines.jsonl" });
      await expect(batches.cancel(id)).rejects.toMatchObject({ status: 409, code: "batch_ended" });
    },
  );

  test("a token instead of a key", async () => {
    const client = new AzureOpenAI({ ...options(), azureADTokenProvider: async () => testKey });

    const { data } = await client.embeddings.create({ model: "m", input: "a" });

    expect(data[0]?.embedding).toEqual(vectorOf("a", 16));
  });

  test("errors have their status and code", async () => {
    const unknown = new AzureOpenAI({ ...options(), apiKey: testKey });
    const refused = new AzureOpenAI({ ...options(), apiKey: "wrong" });

    await expect(unknown.embeddings.create({ model: "nope", input: "a" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    await expect(refused.embeddings.create({ model: "m", input: "a" })).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
  });
});
