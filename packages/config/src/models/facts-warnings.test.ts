import { expect, test } from "vitest";
import { load } from "../test/load-text.js";

const warningsOf = (model: string, like = "") =>
  load(`upstreams: { cohere: { provider: cohere, apiKey: key-of-a-test } }
models:
  e: { type: embedding, inputType: document, targets: [{ upstream: cohere, model: ${model}${like} }] }
`).warnings.filter((warning) => warning.includes("assumed"));

test("a model whose facts are assumed is warned of, with the entry that they are from", () => {
  expect(warningsOf("embed-v9.0-pro")).toEqual([
    expect.stringMatching(
      /does not know embed-v9.0-pro, which the model "e" calls. Its facts are assumed: they are those of embed-v\(5\+\)\*\./,
    ),
  ]);
});

test("a model that the catalogue knows is not, nor one that the operator has named", () => {
  expect(warningsOf("embed-v5.0-pro")).toEqual([]);
  expect(warningsOf("my-embedder", ", like: embed-v5.0-pro")).toEqual([]);
});
