import { expect, test } from "vitest";
import { describeTrial } from "./trial.js";

const trial = {
  object: "upstream.trial",
  ok: true,
  ms: 182,
  models: null,
  dimensions: null,
  probe_vectors: null,
  probe_image_vectors: null,
  error: null,
} as const;

test.each([
  [{ ...trial, models: ["a", "b"] }, "After 182 ms: it lists 2 models."],
  [{ ...trial, dimensions: 1536 }, "After 182 ms: its vectors are 1,536 wide."],
  [{ ...trial, models: ["a"], dimensions: 8 }, "After 182 ms: it lists 1 model, and its vectors are 8 wide."],
  [
    { ...trial, models: [] },
    "After 182 ms: its list of models is empty. A model that it has can still be named.",
  ],
  [trial, "The settings are valid. This provider has no list of models."],
  [
    { ...trial, ok: false, error: { code: "upstream_auth_error", message: "It refused the key." } },
    "It refused the key.",
  ],
])("%j is told in a sentence", (result, sentence) => {
  expect(describeTrial({ ...result, models: result.models && [...result.models] })).toBe(sentence);
});
