import { expect, test } from "vitest";
import type { Target } from "../domain/model.js";
import { faultsOf, load } from "./test/load-text.js";

test("a target has its own price, or its model's, or the one it is known for; local costs nothing", () => {
  const config = load(`
upstreams:
  openai: { provider: openai }
  shed: { provider: openai-compatible, baseUrl: "http://127.0.0.1:9000/v1" }
  local: { provider: local }
models:
  listed: { type: embedding, targets: [{ upstream: openai, model: text-embedding-3-large }] }
  said:
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
    said: [{ perMillionTokens: 0.5 }, { perMillionTokens: 0 }],
    unknown: [undefined],
    free: [{ perMillionTokens: 0 }],
    sketch: [{ perImage: 0 }],
    image: [
      { perImage: { "1024x1024": { high: 0.2, "*": 0.1 }, "*": 0.3 } },
      { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 },
    ],
  });
});

test("half of a price is a fault", () => {
  const file = `
upstreams: { u: { provider: openai } }
models: { m: { type: image, targets: [{ upstream: u, model: x, price: { perMillionInputTokens: 5 } }] } }`;

  expect(faultsOf(file)).toEqual([
    "gateway.yaml:3:71  models.m.targets[0].price: must have perImage, or both perMillionInputTokens and perMillionOutputTokens, or all of them",
  ]);
});
