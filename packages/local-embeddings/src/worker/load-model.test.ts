import { expect, test } from "vitest";
import { meanOfTokens, normalise } from "./load-model.js";

test("each dimension is averaged over the tokens", () => {
  const threeTokens = Float32Array.of(1, 10, 2, 20, 6, 60);

  expect(meanOfTokens(threeTokens, 3)).toEqual(Float32Array.of(3, 30));
});

test("a vector keeps its direction and gets the length 1", () => {
  expect(normalise(Float32Array.of(3, 0, -4))).toEqual(Float32Array.of(0.6, 0, -0.8));
});

test.each([[Float32Array.of(0, 0)], [Float32Array.of(Number.NaN, 1)], [Float32Array.of(Infinity, 1)]])(
  "%s has no direction and is refused",
  (vector) => {
    expect(() => normalise(vector)).toThrow("The model returned no usable vector.");
  },
);
