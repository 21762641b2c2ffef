import { expect, test } from "vitest";
import { refusalOf } from "./refusal-of.js";

const healthy = { aliases: [], isPattern: false, status: "ready" } as const;
const ill = { ...healthy, operations: ["createEmbedding"], status: "failing" } as const;
const models = [
  { ...healthy, id: "text", aliases: ["ada"], operations: ["createEmbedding"] },
  { ...healthy, id: "any/*", isPattern: true, operations: ["createImage"] },
  { ...ill, id: "ill" },
  { ...ill, id: "spared", status: "degraded" as const },
];

test.each([
  ["text", "/v1/embeddings", undefined],
  ["ada", "/v1/embeddings", undefined],
  ["any/one", "/v1/images/generations", undefined],
  ["any/one", undefined, undefined],
  ["text", "/v1/images/edits", "text does not serve /v1/images/edits."],
  ["nope", "/v1/embeddings", "nope is not among the models that you may call."],
  ["ill", "/v1/embeddings", "ill has no healthy target now. Lines are retried for some minutes, then fail."],
  ["spared", "/v1/embeddings", undefined],
] as const)("%s at %s", (name, endpoint, refusal) => {
  expect(refusalOf(name, { models, endpoint })).toBe(refusal);
  expect(refusalOf(name, { models: undefined, endpoint })).toBeUndefined();
});
