import { expect, test } from "vitest";
import { recallOf } from "./compare.js";
import { nearestByScan } from "./jsonl/nearest.js";
import type { EmbeddedRow } from "./rows.js";

/** Points on a circle: neighbours are those with the nearest angles. */
function circle(count: number, angleOf: (index: number) => number) {
  return async function* (): AsyncGenerator<EmbeddedRow> {
    for (let index = 0; index < count; index += 1) {
      const angle = angleOf(index);
      yield { id: index, embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
    }
  };
}

const order = circle(100, (index) => (index * Math.PI) / 100);

test("the nearest rows are found exactly, nearest first, and a row is not its own neighbour", async () => {
  const { total, sample } = await nearestByScan({ queries: 200, old: order, new: order });

  const first = sample.find(({ id }) => id === 0);
  expect(total).toBe(100);
  expect(sample).toHaveLength(100);
  expect(first?.old).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(first?.new).toEqual(first?.old);
});

test("the length of a vector does not count", async () => {
  const longer = async function* (): AsyncGenerator<EmbeddedRow> {
    for await (const { id, embedding } of order())
      yield { id, embedding: embedding.map((value) => value * (1 + Number(id))) };
  };

  const { sample } = await nearestByScan({ queries: 5, old: order, new: longer });

  for (const { old, new: renewed } of sample) expect(new Set(renewed)).toEqual(new Set(old));
});

test("the sample is the same in every run, and bounded", async () => {
  const ids = async () =>
    (await nearestByScan({ queries: 7, old: order, new: order })).sample.map(({ id }) => id);

  const [once, twice] = [await ids(), await ids()];

  expect(once).toHaveLength(7);
  expect(twice).toEqual(once);
});

test("a row that only one of them has is not a query", async () => {
  const { sample } = await nearestByScan({
    queries: 100,
    old: circle(50, (index) => index / 100),
    new: order,
  });

  expect(sample.map(({ id }) => Number(id)).every((id) => id < 50)).toBe(true);
});

test("recall is 1 for the same order, and says which row suffers most", () => {
  const between: [string, string] = ["old", "new"];
  const same = recallOf({ between, total: 4, sample: [{ id: "a", old: ["b", "c"], new: ["c", "b"] }] });
  const half = recallOf({
    between,
    total: 4,
    sample: [
      { id: "a", old: ["b", "c"], new: ["b", "c"] },
      { id: "b", old: ["a", "c"], new: ["d", "e"] },
    ],
  });

  expect(same).toMatchObject({ recall: 1, k: 2, nearest_kept: 0 });
  expect(half).toMatchObject({ recall: 0.5, nearest_kept: 0.5, lowest: { id: "b", recall: 0 }, queries: 2 });
});

test("nothing to compare is an error, and not a number", () => {
  expect(() => recallOf({ between: ["a", "b"], total: 0, sample: [] })).toThrow(
    "Nothing can be compared: no two rows have vectors in both a and b.",
  );
});
