import { Vector } from "@model-gateway/domain/vector";
import { expect, test } from "vitest";
import { checkDimensions, shorten, toUnitVector } from "./dimensions.js";
import { embeddingModel } from "./test/embedding-model.js";

test("a refused width comes with the widths that the model has", () => {
  const flexible = embeddingModel({ dimensions: 8, matryoshka: true });
  const fixed = embeddingModel({ dimensions: 8 });
  const { dimensions: _dimensions, ...unknown } = fixed;

  expect(checkDimensions(4, flexible)).toBe(4);
  expect(() => checkDimensions(9, flexible)).toThrow(
    "Invalid value for 'dimensions' = 9. Must be less than or equal to 8.",
  );
  for (const width of [4, 9])
    expect(() => checkDimensions(width, fixed)).toThrow(
      "The model 'model' does not support specifying dimensions: its vectors always have 8. Send 8, or omit 'dimensions'.",
    );
  expect(() => checkDimensions(4, unknown)).toThrow(
    "The model 'model' does not support specifying dimensions. Omit 'dimensions'.",
  );
});

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
