import { expect, test } from "vitest";
import { finish } from "./run-in-turns.js";
import { similaritySteps } from "./similarity.js";

const cosines = (...vectors: number[][]) =>
  Array.from(finish(similaritySteps(vectors.map((vector) => Float32Array.from(vector)))).cosines, (value) =>
    Number(value.toFixed(6)),
  );

test("the cosine does not depend on the length of a vector", () => {
  expect(cosines([1, 0], [5, 0])).toEqual([1, 1, 1, 1]);
  expect(cosines([1, 0], [0, 2])).toEqual([1, 0, 0, 1]);
  expect(cosines([1, 1], [-2, -2])).toEqual([1, -1, -1, 1]);
  expect(cosines([3, 4], [4, 3])).toEqual([1, 0.96, 0.96, 1]);
});

test("a vector of zeros is like nothing", () => {
  expect(cosines([0, 0], [1, 0])).toEqual([1, 0, 0, 1]);
});

test("the matrix is symmetric, with ones on its diagonal", () => {
  expect(cosines([1, 0], [0, 1], [3, 4])).toEqual([1, 0, 0.6, 0, 1, 0.8, 0.6, 0.8, 1]);
});
