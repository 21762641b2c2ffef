import { expect, test } from "vitest";
import { refusalOf } from "./refusal-of.js";

const models = [
  { id: "text", aliases: ["ada"], isPattern: false, operations: ["createEmbedding"] },
  { id: "any/*", aliases: [], isPattern: true, operations: ["createImage"] },
];

test.each([
  ["text", "/v1/embeddings", undefined],
  ["ada", "/v1/embeddings", undefined],
  ["any/one", "/v1/images/generations", undefined],
  ["any/one", undefined, undefined],
  ["text", "/v1/images/edits", "text does not serve /v1/images/edits."],
  ["nope", "/v1/embeddings", "nope is not among the models that you may call."],
] as const)("%s at %s", (name, endpoint, refusal) => {
  expect(refusalOf(name, { models, endpoint })).toBe(refusal);
  expect(refusalOf(name, { models: undefined, endpoint })).toBeUndefined();
});
