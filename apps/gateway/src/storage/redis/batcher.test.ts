import { expect, test } from "vitest";
import { Batcher } from "./batcher.js";

test("the items of one turn are sent together, and each gets its own reply", async () => {
  const batches: number[][] = [];
  const batcher = new Batcher(async (items: readonly number[]) => {
    batches.push([...items]);
    return items.map((item) => item * 10);
  });

  const first = await Promise.all([batcher.send(1), batcher.send(2), batcher.send(3)]);
  const second = await batcher.send(4);

  expect(first).toEqual([10, 20, 30]);
  expect(second).toBe(40);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test("a batch has at most 64 items", async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (items: readonly number[]) => {
    sizes.push(items.length);
    return items;
  });
  const items = Array.from({ length: 150 }, (_, index) => index);

  const replies = await Promise.all(items.map((item) => batcher.send(item)));

  expect(replies).toEqual(items);
  expect(sizes).toEqual([64, 64, 22]);
});

test.each([
  ["has no reply", async () => undefined],
  ["fails", async () => Promise.reject(new Error("unreachable"))],
])("if the call %s, every item resolves with undefined", async (_, sendBatch) => {
  const batcher = new Batcher(sendBatch);

  expect(await Promise.all([batcher.send(1), batcher.send(2)])).toEqual([undefined, undefined]);
});
