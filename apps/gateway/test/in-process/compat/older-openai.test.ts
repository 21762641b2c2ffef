import type OpenAI from "openai";
import OpenAI4 from "openai-4";
import OpenAI6 from "openai-6";
import { describe, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { signsOf } from "../providers/unit-vectors.js";
import { compatGateway } from "./compat-gateway.js";

const gateway = compatGateway();
const b64_json = tinyPng.toString("base64");

// The calls match the newest version; only some types have changed since.
const versions = [
  { version: "6", Client: OpenAI6 as unknown as typeof OpenAI },
  { version: "4", Client: OpenAI4 as unknown as typeof OpenAI },
];

describe.each(versions)("openai-node $version, with only its base URL changed", ({ Client }) => {
  const createClient = (apiKey = testKey) =>
    new Client({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });

  test("embeds many inputs in order", async () => {
    const input = Array.from({ length: 25 }, (_, index) => `text ${index}`);

    const { data, usage } = await createClient().embeddings.create({ model: "m", input });

    expect(data.map(({ embedding }) => embedding)).toEqual(input.map((text) => vectorOf(text, 16)));
    expect(usage.prompt_tokens).toBe(input.join("").length);
  });

  test("gets bits as integers, if it names a format: otherwise it decodes even arrays as base64", async () => {
    const { embeddings } = createClient();
    const ubinary = { model: "m", input: "a", output_dtype: "ubinary" };

    const named = await embeddings.create({ ...ubinary, encoding_format: "float" });

    expect(named.data[0]?.embedding).toEqual(signsOf(vectorOf("a", 16)));
    // The guide warns of it: two bytes are not even one float32.
    const unnamed = await embeddings.create(ubinary);
    expect(unnamed.data[0]?.embedding).toEqual([]);
  });

  test("lists and retrieves models", async () => {
    const client = createClient();

    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);

    expect(ids).toEqual(["m", "org/m", "image"]);
    expect(await client.models.retrieve("org/m")).toMatchObject({ id: "org/m", object: "model" });
  });

  test("creates and edits images", async () => {
    const { images } = createClient();
    const image = new File([new Uint8Array(tinyPng)], "photo.png", { type: "image/png" });

    const created = await images.generate({ model: "image", prompt: "a fox" });
    const edited = await images.edit({ model: "image", prompt: "a fox", image });

    expect([created.data, edited.data]).toEqual([[{ b64_json }], [{ b64_json }]]);
  });

  test("reads errors: the status, the code and the parameter", async () => {
    const client = createClient();
    const invalid = { model: "image", prompt: "a", size: "big" as "auto" };

    await expect(client.embeddings.create({ model: "nope", input: "a" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
    await expect(client.images.generate(invalid)).rejects.toMatchObject({ status: 400, param: "size" });
    await expect(createClient("wrong").models.list()).rejects.toMatchObject({
      status: 401,
      code: "invalid_api_key",
    });
  });
});
