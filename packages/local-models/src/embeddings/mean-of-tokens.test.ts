import { expect, test } from "vitest";
import { meanOfTokens } from "./mean-of-tokens.js";

test("each dimension is averaged over the tokens", () => {
  const threeTokens = Float32Array.of(1, 10, 2, 20, 6, 60);

  expect(meanOfTokens(threeTokens, 3)).toEqual(Float32Array.of(3, 30));
});
