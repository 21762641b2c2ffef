import { expect, test } from "vitest";
import type { Schemas } from "../../../operations/schemas.js";
import { imagePrice } from "./image-price.js";

const priced = (tier: number, per_image: { size: string; quality: string; usd: number }[]) =>
  ({ tier, price: { per_image } }) as unknown as Schemas["AdminTarget"];

test("the price of the first target counts, by the nearest entry", () => {
  const targets = [
    priced(2, [{ size: "*", quality: "*", usd: 9 }]),
    priced(1, [
      { size: "*", quality: "*", usd: 0.01 },
      { size: "1024x1024", quality: "*", usd: 0.04 },
      { size: "1024x1024", quality: "high", usd: 0.17 },
    ]),
  ];

  expect(imagePrice(targets, { size: "1024x1024", quality: "high", count: 1 })).toBe(0.17);
  expect(imagePrice(targets, { size: "1024x1024", quality: "low", count: 2 })).toBe(0.08);
  expect(imagePrice(targets, { size: "auto", quality: "auto", count: 1 })).toBe(0.01);
});

test("a price that is not known, or 0, is not shown", () => {
  const wanted = { size: "auto", quality: "auto", count: 1 };

  expect(imagePrice(undefined, wanted)).toBeUndefined();
  expect(imagePrice([priced(1, [])], wanted)).toBeUndefined();
  expect(imagePrice([priced(1, [{ size: "*", quality: "*", usd: 0 }])], wanted)).toBeUndefined();
});
