import { expect, test } from "vitest";
import { ChunkPace } from "./chunk-pace.js";

/** Adds chunks until one has to wait for the next slice of time. Undefined if none has to. */
function addMany(pace: ChunkPace, chunkBytes: number): Promise<void> | undefined {
  for (let count = 0; count < 10_000_000; count += 1) {
    const wait = pace.add({ length: chunkBytes });
    if (wait !== undefined) return wait;
  }
  return undefined;
}

test("small chunks are received in slices of time, up to a number", async () => {
  const pace = new ChunkPace();

  await expect(addMany(pace, 1)).resolves.toBeUndefined();
  expect(pace.fault).toBeUndefined();
  for (let count = 0; count <= 100_000; count += 1) void pace.add({ length: 1023 });

  expect(pace.fault?.code).toBe("content_too_large");
});

test("large chunks do not count", () => {
  const pace = new ChunkPace();

  expect(addMany(pace, 1024)).toBeUndefined();
  expect(pace.fault).toBeUndefined();
});
