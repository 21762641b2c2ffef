import type { ContentInput } from "@model-gateway/domain/content-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { createMemoryVectorCache } from "../../storage/vectors/memory-vector-cache.js";
import { embeddingModel } from "../test/embedding-model.js";
import { type CacheScope, cacheKey, readInputCache } from "./input-cache.js";

const scope: CacheScope = { space: "s", unitVectors: true, width: 8 };
const others: readonly (readonly [string, CacheScope])[] = [
  ["space", { ...scope, space: "t" }],
  ["revision", { ...scope, revision: "2" }],
  ["normalisation", { ...scope, unitVectors: false }],
  ["width", { ...scope, width: 4 }],
  ["type of integers", { ...scope, outputDtype: "int8" }],
  ["input type", { ...scope, inputType: "query" }],
  ["passed parameters", { ...scope, extrasKey: "x" }],
  ["partition", { ...scope, partition: "alice" }],
];

test.each(others)("vectors of another %s are cached under another key", (_name, other) => {
  expect(cacheKey("text", other)).not.toBe(cacheKey("text", scope));
});

test("a text and its token ids are cached under different keys", () => {
  expect(cacheKey("1,2", scope)).not.toBe(cacheKey([1, 2], scope));
});

test("a content and a text that equals its digest are cached under different keys", () => {
  const digest = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c";
  const content: ContentInput = {
    parts: [{ type: "text", text: "a" }],
    digest,
    imageCount: 0,
    imageBytes: 0,
  };

  expect(cacheKey(content, scope)).not.toBe(cacheKey(digest, scope));
  expect(cacheKey(content, scope)).toBe(cacheKey({ ...content }, scope));
});

test("vectors of two widths stay in the cache beside each other", async () => {
  const model = embeddingModel({ cache: { ttlMs: 60_000, countTokens: true } });
  const cache = createMemoryVectorCache(1_000_000);
  const inputs = [{ key: "a", input: "a text" }];
  const lookUp = async (width: number) => {
    const lookup = { model, width, inputType: undefined, directives: { read: true, write: true } } as const;
    const found = await readInputCache(inputs, { ...lookup, encoding: "base64" }, cache);
    if (found === undefined) expect.fail("The model has a cache.");
    return found;
  };
  const fetched = (width: number) => ({
    vector: Vector.fromFloats(new Float32Array(width).fill(1)),
    tokens: 1,
    tokensEstimated: false,
    target: {} as EmbeddingTarget,
    attempts: 1,
  });

  for (const width of [4, 8]) await (await lookUp(width)).write([fetched(width)]);

  const hits = [await lookUp(4), await lookUp(8)].map(({ found }) => found[0]?.vector.toFloats().length);
  expect(hits).toEqual([4, 8]);
});
