import { expect, test } from "vitest";
import { Batcher } from "./batcher.js";

test("what is asked in one turn is asked together, and each gets its own answer", async () => {
  const batches: number[][] = [];
  const batcher = new Batcher(async (asks: readonly number[]) => {
    batches.push([...asks]);
    return asks.map((ask) => ask * 10);
  });

  const first = await Promise.all([batcher.ask(1), batcher.ask(2), batcher.ask(3)]);
  const second = await batcher.ask(4);

  expect(first).toEqual([10, 20, 30]);
  expect(second).toBe(40);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test("no more than 64 are asked at once", async () => {
  const sizes: number[] = [];
  const batcher = new Batcher(async (asks: readonly number[]) => {
    sizes.push(asks.length);
    return asks;
  });
  const asks = Array.from({ length: 150 }, (_, index) => index);

  const answers = await Promise.all(asks.map((ask) => batcher.ask(ask)));

  expect(answers).toEqual(asks);
  expect(sizes).toEqual([64, 64, 22]);
});

test.each([
  ["says nothing", async () => undefined],
  ["fails", async () => Promise.reject(new Error("away"))],
])("where whoever is asked %s, nobody has an answer, and nobody waits", async (_, answerAll) => {
  const batcher = new Batcher(answerAll);

  expect(await Promise.all([batcher.ask(1), batcher.ask(2)])).toEqual([undefined, undefined]);
});
