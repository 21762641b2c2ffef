import { expect, test } from "vitest";
import { isPrice, readPrice, writePrice } from "./model-price.js";

test.each([
  ["embedding", { perMillionTokens: 0.02 }, "0.02"],
  ["image", { perImage: 0.04 }, "0.04"],
  ["image", { perImage: 0 }, "0"],
  ["embedding", undefined, ""],
] as const)("the price of an %s model, %j, is %j in its field", (type, price, text) => {
  expect(readPrice(price)).toBe(text);
  expect(writePrice(type, text)).toEqual(price);
});

test.each([
  { perImage: { "*": 0.04 } },
  { perImage: 0.04, perMillionInputTokens: 5, perMillionOutputTokens: 30 },
  { perMillionInputTokens: 5 },
])("%j has several parts, and no field", (price) => {
  expect(readPrice(price)).toBeUndefined();
});

test("an amount is a plain number within the gateway's bounds", () => {
  expect(["", " 0.02 ", ".5", "12", "1000000"].filter(isPrice)).toHaveLength(5);
  expect(["$1", "1,5", "-1", "1e3", "free", "1000001"].filter(isPrice)).toEqual([]);
});
