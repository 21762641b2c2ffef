import { expect, test } from "vitest";
import { createMemoryVectorCache } from "./memory-vector-cache.js";

const use = { ttlMs: 60_000, encoding: "float" } as const;
const floats = Float32Array.of(0.5, -0.25);

test("a vector that is read as JSON is rendered once", async () => {
  const cache = createMemoryVectorCache(100_000);
  cache.write([{ key: "a", floats, tokens: 3 }], 60_000);

  const [first] = await cache.read(["a"], use);
  const [second] = await cache.read(["a"], use);

  expect(first).toEqual({ floats, tokens: 3, json: Buffer.from("[0.5,-0.25]") });
  expect(second?.json).toBe(first?.json);
});

test("base64 and large batches are not rendered as JSON", async () => {
  const cache = createMemoryVectorCache(100_000);
  const keys = Array.from({ length: 17 }, (_, index) => `k${index}`);
  cache.write(
    keys.map((key) => ({ key, floats, tokens: 1 })),
    60_000,
  );

  const asBase64 = await cache.read(["k0"], { ...use, encoding: "base64" });
  const many = await cache.read(keys, use);

  expect([...asBase64, ...many].map((vector) => vector?.json)).toEqual(Array(18).fill(undefined));
});

test("the JSON counts towards the limit, and the least recently used are evicted first", async () => {
  const cache = createMemoryVectorCache(3 * 648);
  for (const key of ["a", "b", "c"]) cache.write([{ key, floats, tokens: 1 }], 60_000);
  expect(
    (await cache.read(["a", "b", "c"], { ...use, encoding: "base64" })).map((one) => one?.tokens),
  ).toEqual([1, 1, 1]);

  await cache.read(["c"], use);

  const left = await cache.read(["a", "b", "c"], { ...use, encoding: "base64" });
  expect(left.map((vector) => vector?.tokens)).toEqual([undefined, 1, 1]);
});
