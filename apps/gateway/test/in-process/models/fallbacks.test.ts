import { beforeEach, expect, test } from "vitest";
import { suiteGateway } from "../../gateway/suite.js";
import { bodyOf, readRows, withKey } from "./model-gateway.js";

/** A model for each test, because a target that fails is not called for a while. */
const shaky = ["throttled", "missing", "moderated", "refused", "uncertain", "cut"];
const suite = suiteGateway(
  ({ baseUrl }) => `
upstreams:
  fake: { provider: openai-compatible, baseUrl: "${baseUrl}" }
  gone: { provider: openai-compatible, baseUrl: "http://127.0.0.1:1/v1" }
models:
  away: { type: image, price: { perImage: 2 }, retries: { max: 0 }, fallback: spare, targets: [{ upstream: gone, model: x }] }
${shaky.map((id) => `  ${id}: { type: image, retries: { max: 0 }, fallback: spare, targets: [{ upstream: fake, model: ${id} }] }`).join("\n")}
  links: { type: image, profile: dall-e, fallback: spare, targets: [{ upstream: gone, model: dall-e }] }
  twice: { type: image, fallback: away, targets: [{ upstream: gone, model: y }] }
  unfit: { type: image, retries: { max: 0 }, fallback: filler, targets: [{ upstream: gone, model: z }] }
  filler: { type: image, profile: { onlyEdits: true }, targets: [{ upstream: fake, model: filler }] }
  spare: { type: image, price: { perImage: 0.5 }, targets: [{ upstream: fake, model: spare }] }
`,
);
const paint = (fields: object, init?: RequestInit) =>
  suite.gateway.sendJson("/v1/images/generations", { model: "away", prompt: "a fox", ...fields }, init);
const received = () => suite.upstream.received.map(({ body }) => body.model);

beforeEach(() => {
  suite.upstream.follow({});
  suite.upstream.received.length = 0;
});

test("when no target can serve, the fallback does, and the response and the ledger name it", async () => {
  const response = await paint({ n: 2 });

  expect(response.status).toBe(200);
  expect(response.headers.get("x-gateway-model")).toBe("spare");
  expect(response.headers.get("x-gateway-upstream")).toBe("fake");
  expect((await bodyOf(response)).data).toHaveLength(2);
  await expect
    .poll(async () => (await readRows(suite.gateway))[0])
    .toMatchObject({
      model: "spare",
      upstream: "fake",
      images: 2,
      cost_usd: 1,
      failure: null,
      failed_attempts: [{ upstream: "gone", model: "x", status: null, skipped: null }],
    });
});

test("a fallback that only edits serves no generation", async () => {
  const response = await paint({ model: "unfit" });

  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(received()).toEqual([]);
});

test("a model that serves is not named", async () => {
  const response = await paint({ model: "spare" });

  expect(response.status).toBe(200);
  expect(response.headers.get("x-gateway-model")).toBeNull();
});

test.each([
  ["throttled", 429, undefined, 200],
  ["missing", 404, undefined, 200],
  ["moderated", 400, { error: { message: "No.", code: "moderation_blocked" } }, 400],
  ["refused", 400, { error: { message: "No.", code: "invalid_value" } }, 400],
  ["uncertain", 504, undefined, 504],
])("a request that was %s with %d", async (model, status, body, expected) => {
  suite.upstream.follow({
    models: { [model]: { faults: [{ kind: "reply", status, ...(body && { body }) }] } },
  });

  const response = await paint({ model });

  expect(response.status).toBe(expected);
  expect(received().includes("spare")).toBe(expected === 200);
});

test("a reply that was lost is not bought again", async () => {
  suite.upstream.follow({ models: { cut: { faults: [{ kind: "cut", afterBytes: 10 }] } } });

  expect((await paint({ model: "cut" })).status).toBe(503);

  expect(received()).not.toContain("spare");
});

test("a request that does not fit the fallback keeps its own error", async () => {
  const response = await paint({ model: "links", style: "natural" });

  expect(response.status).toBe(503);
  expect(received()).toEqual([]);
});

test("the response keeps the requested model's form", async () => {
  const { data } = await bodyOf(await paint({ model: "links" }));

  expect(data).toEqual([{ url: expect.stringContaining("/v1/images/files/") }]);
});

test("a fallback has no further fallback", async () => {
  expect((await paint({ model: "twice" })).status).toBe(503);
  expect(received()).toEqual([]);
});

test("a key that may not call the fallback gets no fallback", async () => {
  const key = await withKey(suite.gateway, { name: "only-away", models: ["away"] });

  expect((await paint({}, key)).status).toBe(503);
  expect(received()).toEqual([]);
});

test("a budget that the fallback would exceed is not spent", async () => {
  const key = await withKey(suite.gateway, { name: "poor", budget: { usd: 2, per: "day" } });

  expect((await paint({}, key)).headers.get("x-gateway-budget-remaining")).toBe("1.5");
});

test("a replay names the fallback again", async () => {
  const once = { headers: { "idempotency-key": "fallback" } };
  await paint({}, once);

  const replay = await paint({}, once);

  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(replay.headers.get("x-gateway-model")).toBe("spare");
  expect(received()).toEqual(["spare"]);
});

test("a stream falls back before its first byte", async () => {
  const response = await paint({ stream: true });

  expect(response.headers.get("x-gateway-model")).toBe("spare");
  expect(await response.text()).toContain("image_generation.completed");
});
