import { expect, test } from "vitest";
import { cosine, similarity } from "./similarity.js";

test("the cosine does not depend on the length of a vector", () => {
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(5, 0))).toBe(1);
  expect(cosine(Float32Array.of(1, 0), Float32Array.of(0, 2))).toBe(0);
  expect(cosine(Float32Array.of(1, 1), Float32Array.of(-2, -2))).toBeCloseTo(-1, 12);
  expect(cosine(Float32Array.of(3, 4), Float32Array.of(4, 3))).toBeCloseTo(0.96, 12);
});

test("a vector of zeros is like nothing", () => {
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(1, 0))).toBe(0);
});

test("the matrix is symmetric, with ones on its diagonal", () => {
  const matrix = similarity([Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(3, 4)]);

  expect(matrix.map((row) => row.map((value) => Number(value.toFixed(4))))).toEqual([
    [1, 0, 0.6],
    [0, 1, 0.8],
    [0.6, 0.8, 1],
  ]);
});
