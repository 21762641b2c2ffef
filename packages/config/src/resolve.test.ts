import type { Target } from "@model-gateway/domain/model";
import { expect, test } from "vitest";
import { digest } from "./resolve.js";
import { faultsOf, load, minimal } from "./test/load-text.js";

test("a key may have models, limits, a budget, a priority and an expiry", () => {
  const config = load(`
keys:
  - name: batch
    sha256: ${digest("batch-key").toString("hex")}
    owner: search team
    models: [text-*, gpt-image-2]
    limits: { requestsPerMinute: 60, tokensPerDay: 1000000, imagesPerMinute: 5, maxConcurrency: 4 }
    budget: { usd: 12.5, per: month }
    priority: bulk
    expiresAt: 2027-01-31
  - { name: short, sha256: ${digest("short").toString("hex")}, expiresAt: "2027-01-31T12:00:00+02:00" }
${minimal}`);

  expect(config.keys.map(({ key }) => key)).toEqual([
    {
      id: "config:batch",
      name: "batch",
      owner: "search team",
      models: ["text-*", "gpt-image-2"],
      limits: { requestsPerMinute: 60, tokensPerDay: 1_000_000, imagesPerMinute: 5, maxConcurrency: 4 },
      budget: { usd: 12.5, per: "month" },
      priority: "bulk",
      expiresAt: Date.UTC(2027, 0, 31),
      isDisabled: false,
    },
    {
      id: "config:short",
      name: "short",
      limits: {},
      expiresAt: Date.UTC(2027, 0, 31, 10),
      isDisabled: false,
    },
  ]);
});

test("a fault of a key is reported with its line and its path", () => {
  const faults = faultsOf(`keys:
  - { name: a, key: long-enough-key, expiresAt: soon }
  - { name: b, key: long-enough-key, budget: { usd: 0, per: week } }
  - { name: c, key: long-enough-key, limits: { requestsPerMinute: 1.5 } }
  - { name: a, key: other-enough-key }
${minimal}`);

  expect(faults).toEqual([
    "gateway.yaml:2:49  keys[0].expiresAt: must be a date such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z",
    "gateway.yaml:3:53  keys[1].budget.usd: must be more than 0",
    "gateway.yaml:3:61  keys[1].budget.per: must be one of: day, month",
    "gateway.yaml:4:67  keys[2].limits.requestsPerMinute: must be a whole number",
    'gateway.yaml:5:13  keys[3].name: another key is named "a"; give each key its own name',
  ]);
});

test("a shutdown date that is not a day is refused", () => {
  const faults = faultsOf(`upstreams: { here: { provider: local } }
models:
  gte-small: { type: embedding, shutdownDate: 2027-02-30, targets: [{ upstream: here, model: gte-small }] }
`);

  expect(faults).toEqual([
    "gateway.yaml:3:47  models.gte-small.shutdownDate: must be a date such as 2027-06-30",
  ]);
});

test("a target has its own price, its model's, or the listed one; local costs nothing", () => {
  const config = load(`
upstreams:
  openai: { provider: openai }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9000/v1" }
  local: { provider: local }
models:
  listed: { type: embedding, targets: [{ upstream: openai, model: text-embedding-3-large }] }
  configured:
    type: embedding
    price: { perMillionTokens: 0.5 }
    targets:
      - { upstream: openai, model: text-embedding-3-large }
      - { upstream: shed, model: text-embedding-3-large, price: { perMillionTokens: 0 } }
  unknown: { type: embedding, targets: [{ upstream: shed, model: text-embedding-3-large }] }
  free: { type: embedding, targets: [{ upstream: local, model: gte-small }] }
  sketch: { type: image, targets: [{ upstream: local, model: local-sketch }] }
  image:
    type: image
    targets:
      - { upstream: shed, model: p, price: { perImage: { 1024x1024: { high: 0.2, "*": 0.1 }, "*": 0.3 } } }
      - { upstream: shed, model: q, price: { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 } }
`);

  const prices = [...config.models].map(([id, { targets }]) => [
    id,
    targets.map((target: Target) => target.price),
  ]);
  expect(Object.fromEntries(prices)).toEqual({
    listed: [{ perMillionTokens: 0.13 }],
    configured: [{ perMillionTokens: 0.5 }, { perMillionTokens: 0 }],
    unknown: [undefined],
    free: [{ perMillionTokens: 0 }],
    sketch: [{ perImage: 0 }],
    image: [
      { perImage: { "1024x1024": { high: 0.2, "*": 0.1 }, "*": 0.3 } },
      { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 },
    ],
  });
});

test("a price for input tokens alone is a fault", () => {
  const file = `
upstreams: { u: { provider: openai } }
models: { m: { type: image, targets: [{ upstream: u, model: x, price: { perMillionInputTokens: 5 } }] } }`;

  expect(faultsOf(file)).toEqual([
    "gateway.yaml:3:71  models.m.targets[0].price: needs perImage, perMegapixel, perSecond, perRequest, or both perMillionInputTokens and perMillionOutputTokens",
  ]);
});

test("targets with different default profiles need one that is named; token ids have the vocabulary of any target", () => {
  const upstreams = `
upstreams:
  openai: { provider: openai }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9000/v1" }
  local: { provider: local }
`;
  const mixed = (profile: string) => `${upstreams}
models:
  m: { type: image, ${profile}targets: [{ upstream: shed, model: a }, { upstream: local, model: local-sketch }] }`;
  const shared = load(`${upstreams}
models:
  m: { type: embedding, targets: [{ upstream: shed, model: a }, { upstream: openai, model: a }] }`);

  expect(faultsOf(mixed(""))).toEqual([expect.stringContaining("models.m: needs a profile")]);
  expect(load(mixed("profile: sketch, ")).models.get("m")).toMatchObject({ profile: { name: "sketch" } });
  expect(shared.models.get("m")).toMatchObject({ tokenizer: "cl100k_base" });
});
