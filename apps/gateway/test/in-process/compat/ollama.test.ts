import { Ollama } from "ollama";
import { expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { compatGateway } from "./compat-gateway.js";

const gateway = compatGateway();
const createClient = (key = testKey) =>
  new Ollama({ host: gateway.url, headers: { authorization: `Bearer ${key}` } });

test("the ollama package embeds one input and many, with only its host and key set", async () => {
  const client = createClient();
  const input = Array.from({ length: 25 }, (_, index) => `text ${index}`);

  const one = await client.embed({ model: "m", input: "a question" });
  const many = await client.embed({ model: "org/m:latest", input, truncate: true, keep_alive: "5m" });

  expect(one).toEqual({
    model: "m",
    embeddings: [vectorOf("a question", 16)],
    total_duration: expect.any(Number),
    load_duration: 0,
    prompt_eval_count: "a question".length,
  });
  expect(many.embeddings).toEqual(input.map((text) => vectorOf(text, 16)));
});

test("its older method gives the same vector", async () => {
  const { embedding } = await createClient().embeddings({ model: "m", prompt: "a question" });

  expect(embedding).toEqual(vectorOf("a question", 16));
});

test("it lists the embedding models and reads the version", async () => {
  const client = createClient();

  const { models } = await client.list();

  expect(models.map(({ name }) => name)).toEqual(["m:latest", "org/m:latest"]);
  expect(await client.version()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
});

test("it shows a model and lists those that are running", async () => {
  const client = createClient();

  const shown = await client.show({ model: "org/m:latest" });
  const { models } = await client.ps();

  expect(shown.capabilities).toEqual(["embedding"]);
  expect(shown.model_info).toEqual({ "general.architecture": "gateway", "gateway.embedding_length": 16 });
  expect(models.map(({ name }) => name)).toEqual(["m:latest", "org/m:latest"]);
  expect(new Date(models[0]?.expires_at ?? 0).getTime()).toBeGreaterThan(Date.now());
  await expect(client.show({ model: "nope" })).rejects.toMatchObject({ status_code: 404 });
});

test("it reads the message of every error, including those of unknown paths", async () => {
  const client = createClient();

  await expect(client.embed({ model: "nope", input: "a" })).rejects.toMatchObject({
    name: "ResponseError",
    status_code: 404,
    error: expect.stringContaining("The model `nope` does not exist or you do not have access to it."),
  });
  await expect(client.embed({ model: "m", input: "a", options: { num_ctx: 1 } })).rejects.toThrow(
    "options.num_ctx",
  );
  await expect(client.generate({ model: "m", prompt: "a" })).rejects.toThrow("It has: POST /api/embed,");
  await expect(createClient("wrong").list()).rejects.toMatchObject({
    status_code: 401,
    error: "Incorrect API key provided.",
  });
});
