import { expect, test } from "vitest";
import { Vector } from "../domain/vector.js";
import { shorten, toUnitVector } from "./dimensions.js";

test("the first values are kept and normalised", () => {
  const short = shorten(Float32Array.of(3, 4, 12), 2);

  expect([...short].map((value) => value.toFixed(6))).toEqual(["0.600000", "0.800000"]);
});

test("a vector of zeros stays zero and does not become NaN", () => {
  expect(shorten(new Float32Array(4), 2)).toEqual(new Float32Array(2));
});

test("a vector of zeros has no direction, so it is not normalised", () => {
  const zeros = Vector.fromFloats(new Float32Array(4));

  expect(toUnitVector(zeros)).toBe(zeros);
});
