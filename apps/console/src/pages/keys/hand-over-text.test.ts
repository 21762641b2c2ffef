import { expect, test } from "vitest";
import { handOverText, isOnlyHere } from "./hand-over-text.js";

const limits = {
  requests_per_minute: 1200,
  requests_per_day: null,
  tokens_per_minute: null,
  tokens_per_day: null,
  images_per_minute: null,
  images_per_day: 50,
  max_concurrency: null,
};
const created = {
  name: "search",
  value: "mg_secret",
  models: null,
  limits,
  budget: { usd: 25, per: "month" as const },
  expires_at: null,
  old_secrets: [],
};

test("the text has all that a colleague needs", () => {
  const text = handOverText({
    created,
    root: "https://gateway.example",
    models: ["gte-small", "gpt-image-2"],
    unpriced: "gpt-image-2",
    sample: "curl https://gateway.example/v1/embeddings",
  });

  expect(text).toBe(`Your key "search" for the model gateway

Base URL: https://gateway.example/v1
API key:  mg_secret
Models:   gte-small, gpt-image-2
Limits:   1,200 requests a minute, 50 images a day
Budget:   $25.00 a month, without gpt-image-2: no price is known

Try it:
export GATEWAY_KEY=mg_secret
curl https://gateway.example/v1/embeddings

Docs: https://gateway.example/docs/
Your spend, limits and requests: https://gateway.example/console/
`);
});

test("after a rotation it says which secret it replaces, and a long list of models is cut", () => {
  const models = Array.from({ length: 14 }, (_, number) => `m${number}`);
  const old_secrets = [{ redacted_value: "mg_...1k2x", expires_at: 1_787_240_086 }];

  const text = handOverText({ created: { ...created, old_secrets }, root: "", models, sample: undefined });

  expect(text).toContain("m11, and 2 more");
  expect(text).toContain("It replaces mg_...1k2x, which works until 2026-08-20 15:34:46 UTC.");
  expect(text).not.toContain("Try it");
});

test.each([
  ["http://127.0.0.1:8080", true],
  ["http://localhost:8080/prefix", true],
  ["http://[::1]:8080", true],
  ["http://0.0.0.0:8080", true],
  ["http://10.0.0.7:8080", false],
  ["https://gateway.example", false],
  ["https://localhost.example", false],
])("%s works on one machine alone: %s", (root, expected) => {
  expect(isOnlyHere(root)).toBe(expected);
});
