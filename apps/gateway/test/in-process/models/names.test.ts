import OpenAI from "openai";
import { expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { testKey } from "../../gateway/test-gateway.js";
import { bodyOf, readMetrics, readRows, withKey } from "./model-gateway.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
defaults: { createEmbedding: ada, createImage: painter }
models:
  text-embedding-3-small:
    type: embedding
    aliases: [ada, text-embedding-ada-002]
    targets: [{ upstream: fake, model: good }]
  secret-model: { type: embedding, targets: [{ upstream: fake, model: good }] }
  painter: { type: image, shutdownDate: 2027-06-30, targets: [{ upstream: fake, model: image }] }
`,
);
const embed = (fields: object, init?: RequestInit) =>
  suite.gateway.sendJson("/v1/embeddings", { input: "a", ...fields }, init);

test("an alias is served by its model, and the response carries the requested id", async () => {
  const response = await embed({ model: "text-embedding-ada-002" });

  expect(response.status).toBe(200);
  expect((await bodyOf(response)).model).toBe("text-embedding-ada-002");
  expect(suite.upstream.received.at(-1)?.body.model).toBe("good");
});

test("the ledger and the metrics have the model's own id", async () => {
  await embed({ model: "ada" });

  await expect.poll(async () => (await readRows(suite.gateway))[0]?.model).toBe("text-embedding-3-small");
  const metrics = await readMetrics(suite.gateway);
  expect(metrics).toContain('model="text-embedding-3-small"');
  expect(metrics).not.toContain('model="ada"');
});

test("a model is listed once with its aliases, and found by each of them", async () => {
  const { data } = await bodyOf(await suite.gateway.send("/v1/models"));
  const found = await bodyOf(await suite.gateway.send("/v1/models/ada"));

  expect(data.map(({ id }: { id: string }) => id)).toEqual([
    "text-embedding-3-small",
    "secret-model",
    "painter",
  ]);
  expect(data[0].aliases).toEqual(["ada", "text-embedding-ada-002"]);
  expect(found).toEqual({ ...data[0], id: "ada" });
});

test("a caller sees a model's announced end, and null without one", async () => {
  const client = new OpenAI({ baseURL: `${suite.gateway.url}/v1`, apiKey: testKey, maxRetries: 0 });

  const { data } = await client.models.list();
  const painter = await client.models.retrieve("painter");

  expect(data.map(({ shutdown_date }) => shutdown_date)).toEqual([null, null, "2027-06-30"]);
  expect(painter.shutdown_date).toBe("2027-06-30");
});

test("a key that may call one name of a model may call all its names", async () => {
  const key = await withKey(suite.gateway, { name: "by-alias", models: ["ada"] });

  expect((await embed({ model: "ada" }, key)).status).toBe(200);
  expect((await embed({ model: "text-embedding-3-small" }, key)).status).toBe(200);
  expect((await embed({ model: "secret-model" }, key)).status).toBe(403);
  const { data } = await bodyOf(await suite.gateway.send("/v1/models", key));
  expect(data.map(({ id }: { id: string }) => id)).toEqual(["text-embedding-3-small"]);
});

test("a request without a model goes to the default of its operation", async () => {
  const embedded = await embed({});
  const created = await suite.gateway.sendJson("/v1/images/generations", { prompt: "a fox" });

  expect((await bodyOf(embedded)).model).toBe("ada");
  expect(created.status).toBe(200);
  expect(suite.upstream.received.at(-1)?.body.model).toBe("image");
});

test("without a default the error lists the models for the operation that the key may call", async () => {
  const edit = (init?: RequestInit) =>
    suite.gateway.sendJson(
      "/v1/images/edits",
      { prompt: "a fox", images: [{ image_url: "data:image/png;base64,AA==" }] },
      init,
    );
  const key = await withKey(suite.gateway, { name: "no-images", models: ["ada"] });

  expect((await bodyOf(await edit())).error).toEqual({
    message: "Missing required parameter: 'model'. The models for it are: 'painter'.",
    type: "invalid_request_error",
    param: "model",
    code: "missing_required_parameter",
  });
  expect((await bodyOf(await edit(key))).error.message).toBe(
    "Missing required parameter: 'model'. This key may call no model that supports the operation.",
  );
});

test("a wrong name gets close ones that the key may call", async () => {
  const key = await withKey(suite.gateway, { name: "few", models: ["ada", "*-mode"] });

  expect((await bodyOf(await embed({ model: "secret-mode" }))).error).toMatchObject({
    code: "model_not_found",
    message:
      "The model `secret-mode` does not exist or you do not have access to it. Did you mean `secret-model`? GET /v1/models lists the models that you can call.",
  });
  const refused = await embed({ model: "secret-mode" }, key);
  expect(refused.status).toBe(404);
  expect((await bodyOf(refused)).error.message).not.toContain("secret-model");
});
