import { beforeEach, expect, test } from "vitest";
import { tinyPng } from "../../fake-upstream/sample-images.mjs";
import { suiteGateway } from "../../gateway/suite.js";
import { bodyOf } from "./model-gateway.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
models:
  typed:
    type: embedding
    targets: [{ upstream: fake, model: good, passThrough: [input_type, options] }]
  cached:
    type: embedding
    dimensions: 8
    cache: { ttl: 1h }
    targets: [{ upstream: fake, model: good, passThrough: [input_type] }]
  plain: { type: embedding, targets: [{ upstream: fake, model: good }] }
  painter: { type: image, targets: [{ upstream: fake, model: diffusion, passThrough: [seed, steps] }] }
`,
);
const embed = (fields: object) =>
  suite.gateway.sendJson("/v1/embeddings", { model: "typed", input: "a", ...fields });
const paint = (fields: object, init?: RequestInit) =>
  suite.gateway.sendJson("/v1/images/generations", { model: "painter", prompt: "a fox", ...fields }, init);
const received = () => suite.upstream.received.map(({ body }) => body);

beforeEach(() => {
  suite.upstream.received.length = 0;
  suite.upstream.follow({});
});

test("named extras of an embedding go upstream in the body", async () => {
  const response = await embed({ input_type: "query", options: { truncate: ["end", 1] }, user: "u" });

  expect(response.status).toBe(200);
  expect(received()).toEqual([
    {
      model: "good",
      input: ["a"],
      user: "u",
      input_type: "query",
      options: { truncate: ["end", 1] },
    },
  ]);
});

test("the legacy path takes them", async () => {
  await suite.gateway.sendJson("/v1/engines/typed/embeddings", { input: "a", input_type: "query" });

  expect(received()[0]?.input_type).toBe("query");
});

test.each([
  ["typed", "truncate"],
  ["plain", "options"],
])("the model %s refuses %s by name", async (model, name) => {
  const response = await embed({ model, [name]: "x" });

  expect(response.status).toBe(400);
  expect((await bodyOf(response)).error).toEqual({
    message: `Unknown parameter: '${name}'.`,
    type: "invalid_request_error",
    param: name,
    code: "unknown_parameter",
  });
  expect(received()).toEqual([]);
});

test("only requests with the same extras share a call", async () => {
  suite.upstream.follow({ always: { isHeld: true } });
  const requests = [
    embed({ input_type: "query", options: { a: 1, b: 2 } }),
    embed({ input_type: "query", options: { b: 2, a: 1 } }),
    embed({ input_type: "document" }),
    embed({}),
    // A caller's text that looks like the extras' cache key.
    embed({ user: '{"input_type":"document"}' }),
  ];
  await expect.poll(() => received().length).toBe(4);
  suite.upstream.follow({});

  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(received()).toHaveLength(4);
});

test("a cached vector is only used for the same extras", async () => {
  const ask = async (fields: object) =>
    (await embed({ model: "cached", ...fields })).headers.get("x-gateway-cache");

  expect(await ask({ input_type: "query" })).toBe("miss");
  await expect.poll(() => ask({ input_type: "query" })).toBe("hit");
  expect(await ask({ input_type: "document" })).toBe("miss");
  expect(await ask({})).toBe("miss");
});

test("extras of an image go upstream and are part of the Idempotency-Key's fingerprint", async () => {
  const once = { headers: { "idempotency-key": "seeds" } };

  expect((await paint({ seed: 7, steps: 20, n: 2 }, once)).status).toBe(200);
  expect(received()).toEqual([{ model: "diffusion", prompt: "a fox", n: 2, seed: 7, steps: 20 }]);
  expect((await paint({ seed: 7, steps: 20, n: 2 }, once)).headers.get("idempotent-replayed")).toBe("true");
  expect((await paint({ seed: 8, steps: 20, n: 2 }, once)).status).toBe(409);
  expect((await bodyOf(await paint({ guidance: 1 }))).error.param).toBe("guidance");
});

test("extras of an edit are text fields in its form", async () => {
  const form = new FormData();
  form.set("model", "painter");
  form.set("prompt", "a fox");
  form.set("image", new Blob([new Uint8Array(tinyPng)], { type: "image/png" }), "a.png");
  form.set("seed", "7");

  const edited = await suite.gateway.send("/v1/images/edits", { method: "POST", body: form });
  form.set("guidance", "1");
  const refused = await suite.gateway.send("/v1/images/edits", { method: "POST", body: form });
  form.delete("guidance");
  form.append("seed", "8");
  const repeated = await suite.gateway.send("/v1/images/edits", { method: "POST", body: form });

  expect(edited.status).toBe(200);
  expect(received()).toEqual([{ model: "diffusion", prompt: "a fox", seed: "7" }]);
  expect((await bodyOf(refused)).error).toMatchObject({ code: "unknown_parameter", param: "guidance" });
  expect((await bodyOf(repeated)).error).toMatchObject({ code: "duplicate_parameter", param: "seed" });
});

test("a model lists its passed-through parameters", async () => {
  const { data } = await bodyOf(await suite.gateway.send("/v1/models"));

  expect(data.map(({ pass_through }: { pass_through?: string[] }) => pass_through)).toEqual([
    ["input_type", "options"],
    ["input_type"],
    undefined,
    ["seed", "steps"],
  ]);
});
