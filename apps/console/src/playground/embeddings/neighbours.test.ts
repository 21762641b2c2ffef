import { expect, test } from "vitest";
import { groupedOrder, nearestPairs, neighboursOf } from "./neighbours.js";
import { finish } from "./run-in-turns.js";
import { similaritySteps } from "./similarity.js";

/** Unit vectors at these angles. */
const at = (...angles: number[]) =>
  finish(similaritySteps(angles.map((angle) => Float32Array.of(Math.cos(angle), Math.sin(angle)))));
const rounded = (value: number) => Number(value.toFixed(4));

test("the neighbours of a text are sorted, without itself", () => {
  const found = neighboursOf(at(0, 1, 0.2, 3), 0, 2);

  expect(found.map(({ index, cosine }) => [index, rounded(cosine)])).toEqual([
    [2, 0.9801],
    [1, 0.5403],
  ]);
  expect(neighboursOf(at(0), 0, 5)).toEqual([]);
});

test("the nearest pairs come first, equal texts before all", () => {
  const pairs = nearestPairs(at(0, 1, 0.2, 1), 3);

  expect(pairs.map(({ first, second, cosine }) => [first, second, rounded(cosine)])).toEqual([
    [1, 3, 1],
    [0, 2, 0.9801],
    [1, 2, 0.6967],
  ]);
});

test("similar texts are beside each other", () => {
  expect(groupedOrder(at(0, 2, 0.1, 2.1, 0.2))).toEqual([0, 2, 4, 1, 3]);
  expect(groupedOrder(at())).toEqual([]);
});
