import { expect, test } from "vitest";
import { catalogue, listedPrice } from "./price-catalogue.js";

test("every row has a source and a date", () => {
  const invalid = catalogue.filter(
    ({ source, asOf }) =>
      !URL.canParse(source) || !/^\d{4}-\d\d-\d\d$/.test(asOf) || Number.isNaN(Date.parse(asOf)),
  );

  expect(invalid).toEqual([]);
});

test("no model is listed twice, and none is free", () => {
  const names = catalogue.map(({ host, model }) => `${host} ${model}`);
  const numbers = catalogue.flatMap(({ price }) => numbersIn(price));

  expect(new Set(names).size).toBe(names.length);
  expect(numbers.filter((usd) => !(usd > 0 && usd < 100))).toEqual([]);
});

test("a price holds only for the host it is listed for", () => {
  expect(listedPrice("https://api.openai.com/v1", "text-embedding-3-small")).toEqual({
    perMillionTokens: 0.02,
  });
  expect(listedPrice("http://127.0.0.1:9000/v1", "text-embedding-3-small")).toBeUndefined();
  expect(listedPrice("https://api.openai.com/v1", "text-embedding-4")).toBeUndefined();
});

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
