import type { ContentInput } from "@model-gateway/domain/content-input";
import type { EmbeddingTarget } from "@model-gateway/domain/model";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { createMemoryVectorCache } from "../../storage/vectors/memory-vector-cache.js";
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

test.each([
  ["floats", scope],
  ["integers", { ...scope, outputDtype: "int8" }],
  ["a partition", { ...scope, partition: "alice" }],
] as const)("different inputs are cached under different keys: %s", (_name, one) => {
  const contents = ["d1", "d2"].map((digest) => contentOf(digest));
  const inputs = ["a", "b", "1", [1], [2], [1, 2], ...contents];

  expect(new Set(inputs.map((input) => cacheKey(input, one))).size).toBe(inputs.length);
});

test("a text and its token ids are cached under different keys", () => {
  expect(cacheKey("1,2", scope)).not.toBe(cacheKey([1, 2], scope));
});

test("a content and a text that equals its digest are cached under different keys", () => {
  const digest = "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c";
  const content = contentOf(digest);

  expect(cacheKey(content, scope)).not.toBe(cacheKey(digest, scope));
  expect(cacheKey(content, scope)).toBe(cacheKey({ ...content }, scope));
});

test("only the inputs without a cached vector are stored, each under its own key", async () => {
  const cached = embeddingModel({ cache: { ttlMs: 60_000, countTokens: true } });
  const cache = createMemoryVectorCache(1_000_000);
  const lookUp = (texts: readonly string[], directives = { read: true, write: true }) =>
    readInputCache(
      texts.map((text) => ({ key: text, input: text })),
      { model: cached, width: 2, inputType: undefined, directives, encoding: "base64" },
      cache,
    );
  const vectorOf = (value: number, tokens: number) => ({
    vector: Vector.fromNumbers([value, value]),
    tokens,
    tokensEstimated: false,
    target: {} as EmbeddingTarget,
    attempts: 1,
  });

  await (await lookUp(["b"]))?.write([vectorOf(2, 20)]);
  const some = await lookUp(["a", "b", "c"]);
  await some?.write([vectorOf(1, 10), vectorOf(3, 30)]);
  await (await lookUp(["d"], { read: true, write: false }))?.write([vectorOf(4, 40)]);
  const all = await lookUp(["a", "b", "c", "d"]);

  expect(some?.hits).toEqual({ inputs: 1, tokens: 20 });
  expect(all?.hits).toEqual({ inputs: 3, tokens: 60 });
  expect(all?.found.map((one) => one && [one.vector.toNumbers()[0], one.tokens])).toEqual([
    [1, 10],
    [2, 20],
    [3, 30],
    undefined,
  ]);
  const unread = await lookUp(["a"], { read: false, write: true });
  expect([unread?.found, unread?.hits]).toEqual([[undefined], { inputs: 0, tokens: 0 }]);
});

test("a model without a cache, or with vectors of any width, has no entries", async () => {
  const lookup = {
    inputType: undefined,
    directives: { read: true, write: true },
    encoding: "float",
  } as const;
  const cache = createMemoryVectorCache(1000);
  const cached = embeddingModel({ cache: { ttlMs: 60_000, countTokens: true } });

  expect(await readInputCache([], { ...lookup, model: embeddingModel(), width: 4 }, cache)).toBeUndefined();
  expect(await readInputCache([], { ...lookup, model: cached, width: undefined }, cache)).toBeUndefined();
});

test("an entry is read for as long as its model keeps entries", async () => {
  const seen: number[] = [];
  const cache = {
    read: async (_keys: readonly string[], { ttlMs }: { ttlMs: number }) => {
      seen.push(ttlMs);
      return [];
    },
    write: (_entries: unknown, ttlMs: number) => void seen.push(ttlMs),
  };
  const cached = embeddingModel({ cache: { ttlMs: 1234, countTokens: true } });
  const directives = { read: true, write: true };

  const looked = await readInputCache(
    [{ key: "a", input: "a" }],
    { model: cached, width: 1, inputType: undefined, directives, encoding: "float" },
    cache as never,
  );
  const vector = Vector.fromNumbers([1]);
  await looked?.write([
    { vector, tokens: 1, tokensEstimated: false, target: {} as EmbeddingTarget, attempts: 1 },
  ]);

  expect(seen).toEqual([1234, 1234]);
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

/** The digest stands for the content: its images are not in the key. */
function contentOf(digest: string): ContentInput {
  return { parts: [{ type: "text", text: "a" }], digest, imageCount: 0, contentBytes: 0 };
}
