import { expect, test } from "vitest";
import { GrowingBuffer } from "./growing-buffer.js";

test.each([0, 3, 5, 8])("chunks are joined in order, with room for %d bytes at first", (bytes) => {
  const buffer = new GrowingBuffer(bytes, 100);

  for (const text of ["a", "", "bcd", "e"]) buffer.add(Buffer.from(text));

  expect(buffer.content.toString()).toBe("abcde");
});

test("it copies its content once for each doubling, and not for each chunk", () => {
  const buffer = new GrowingBuffer(16, 1_000_000);
  const memory = new Set<ArrayBufferLike>();

  for (let count = 0; count < 1_000_000; count += 1) {
    buffer.add(Buffer.of(count));
    memory.add(buffer.content.buffer);
  }

  expect(buffer.content.length).toBe(1_000_000);
  // From 16 bytes to 1,000,000 there are 16 doublings. The smallest are cut from one array buffer.
  expect(memory.size).toBeLessThan(17);
});

test("memory that it has outgrown is freed at once", () => {
  const buffer = new GrowingBuffer(100_000, 1_000_000);
  buffer.add(Buffer.alloc(100_000, "a"));
  const outgrown = buffer.content.buffer;

  buffer.add(Buffer.from("b"));

  expect(outgrown.byteLength).toBe(0);
  expect(buffer.content.toString("latin1", 99_998)).toBe("aab");
});

test("an expected length is allocated only when the first megabytes are there", () => {
  const buffer = new GrowingBuffer(30_000_000, 40_000_000);

  buffer.add(Buffer.alloc(2_000_000));
  expect(buffer.content.buffer.byteLength).toBe(2 * 1024 * 1024);

  buffer.add(Buffer.alloc(100_000));
  expect(buffer.content.buffer.byteLength).toBe(30_000_000);
});
