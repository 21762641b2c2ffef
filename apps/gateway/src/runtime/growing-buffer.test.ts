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
