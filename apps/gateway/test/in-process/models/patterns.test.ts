import { beforeEach, expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { bodyOf, readMetrics, readRows, withKey } from "./model-gateway.js";

const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams: { fake: { provider: openai-compatible, baseUrl: "${baseUrl}" } }
defaults: { createEmbedding: fake/standard }
models:
  fake/*: { type: embedding, targets: [{ upstream: fake, model: "*" }] }
  fake/long-*: { type: embedding, targets: [{ upstream: fake, model: "longer-*" }] }
  fake/exact: { type: embedding, targets: [{ upstream: fake, model: configured }] }
`,
);
const embed = (fields: object, init?: RequestInit) =>
  suite.gateway.sendJson("/v1/embeddings", { input: "a", ...fields }, init);
const asked = () => suite.upstream.received.at(-1)?.body.model;

beforeEach(() => suite.upstream.follow({}));

test.each([
  ["fake/any-model", "any-model"],
  ["fake/long-one", "longer-one"],
  ["fake/exact", "configured"],
])("%s is served as %s", async (model, name) => {
  const response = await embed({ model });

  expect((await bodyOf(response)).model).toBe(model);
  expect(asked()).toBe(name);
});

test("a default may be an id that fits a pattern", async () => {
  expect((await bodyOf(await embed({}))).model).toBe("fake/standard");
});

test("a pattern is listed and can be looked at, but not called", async () => {
  const { data } = await bodyOf(await suite.gateway.send("/v1/models"));
  const one = await suite.gateway.send(`/v1/models/${encodeURIComponent("fake/*")}`);
  const called = await embed({ model: "fake/*" });

  expect(data.map(({ id, is_pattern }: Record<string, unknown>) => [id, is_pattern])).toEqual([
    ["fake/*", true],
    ["fake/long-*", true],
    ["fake/exact", undefined],
  ]);
  expect(one.status).toBe(200);
  expect(called.status).toBe(404);
});

test("a key is allowed by the concrete id", async () => {
  const key = await withKey(suite.gateway, { name: "text", models: ["fake/text-*"] });

  expect((await embed({ model: "fake/text-a" }, key)).status).toBe(200);
  expect((await embed({ model: "fake/other" }, key)).status).toBe(403);
});

test("metrics and the ledger count under the pattern, however many names a caller invents", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, index) => embed({ model: `fake/invented-${index}` })));

  await expect.poll(async () => (await readRows(suite.gateway))[0]?.model).toBe("fake/*");
  expect(await readMetrics(suite.gateway)).not.toContain("invented");
});

test("a name that the upstream does not know is a 404, and says nothing about the target", async () => {
  const body = { error: { message: "no such model", code: "model_not_found" } };
  suite.upstream.follow({
    models: { unknown: { faults: [{ kind: "reply", status: 404, body }] } },
  });
  suite.gateway.logLines.length = 0;

  const statuses = [];
  for (let index = 0; index < 8; index += 1) statuses.push((await embed({ model: "fake/unknown" })).status);

  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(suite.gateway.logLines.join("")).not.toMatch(/misconfigured|is unhealthy/);
});
