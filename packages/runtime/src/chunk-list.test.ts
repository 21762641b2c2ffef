import { expect, test } from "vitest";
import { ChunkList } from "./chunk-list.js";

test("a few chunks stay as they are", () => {
  const [one, other] = [Buffer.from("a"), Buffer.from("b")];
  const list = new ChunkList();

  list.add(one);
  list.add(other);

  expect(list.chunks[0]).toBe(one);
  expect(list.chunks[1]).toBe(other);
  expect(list.bytes).toBe(2);
});

test("many small chunks become a few large ones, in order and beside large ones", () => {
  const list = new ChunkList();
  const added: Buffer[] = [];
  for (let count = 0; count < 100_000; count += 1) {
    const chunk = Buffer.alloc(count % 10_000 === 0 ? 5000 : count % 3, count);
    added.push(chunk);
    list.add(chunk);
  }

  expect(Buffer.concat(list.chunks).equals(Buffer.concat(added))).toBe(true);
  expect(list.bytes).toBe(Buffer.concat(added).length);
  // The first 64, ten large ones, the gaps between them, and a block for each 16 KB.
  expect(list.chunks.length).toBeLessThan(100);
});
