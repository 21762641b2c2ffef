import { expect, test } from "vitest";
import type { Rate } from "./catalogue-file.js";
import { priceOfRates, ratesOfPrice } from "./rates.js";

const tokens = (billable: Rate["billable"], usd: number, cached?: true): Rate => ({
  billable,
  unit: "token",
  usd,
  per: 1_000_000,
  ...(cached && { variant: { cached } }),
});

test("a rate for cached tokens is not the price of others, wherever it is listed", () => {
  const full = [tokens("input_text", 5), tokens("input_image", 8), tokens("output_image", 30)];
  const cached = [tokens("input_text", 1.25, true), tokens("input_image", 2, true)];
  const price = {
    perMillionInputTokens: { text: 5, image: 8, cachedText: 1.25, cachedImage: 2 },
    perMillionOutputTokens: { text: 30, image: 30 },
  };

  expect(priceOfRates([...cached, ...full], "image")).toEqual(price);
  expect(priceOfRates([...full, ...cached], "image")).toEqual(price);
  expect(priceOfRates([...cached, ...full], "embedding")).toEqual({
    perMillionTokens: 5,
    perMillionImageTokens: 8,
  });
});

test("a model with a rate for cached tokens alone has no price", () => {
  expect(priceOfRates([tokens("input_text", 1.25, true)], "embedding")).toBeUndefined();
});

test("an embedding model may have prices for image tokens and for whole images", () => {
  const perImage: Rate = { billable: "input_image", unit: "image", usd: 0.0001 };
  const rates = [tokens("input_text", 0.1), tokens("input_image", 0.2), perImage];
  const price = { perMillionTokens: 0.1, perMillionImageTokens: 0.2, perInputImage: 0.0001 };

  expect(priceOfRates(rates, "embedding")).toEqual(price);
  expect(ratesOfPrice(price)).toEqual(rates);
  expect(priceOfRates([tokens("input_text", 0.1)], "embedding")).toEqual({ perMillionTokens: 0.1 });
  expect(
    priceOfRates([{ ...perImage, billable: "output_image" }, tokens("input_text", 0.1)], "embedding"),
  ).toEqual({ perMillionTokens: 0.1 });
});

test("a rate for one token, or for a thousand, is a price for a million", () => {
  const rate = { billable: "input_text", unit: "token", usd: 0.00002 } as const;

  expect(priceOfRates([{ ...rate, per: 1000 }], "embedding")).toEqual({ perMillionTokens: 0.02 });
  expect(priceOfRates([{ ...rate, usd: 0.00000013 }], "embedding")).toEqual({ perMillionTokens: 0.13 });
});

test("tokens of images cost what those of texts cost, unless they have a rate", () => {
  const output = tokens("output_image", 30);

  expect(priceOfRates([tokens("input_text", 5), output], "image")).toEqual({
    perMillionInputTokens: { text: 5, image: 5 },
    perMillionOutputTokens: { text: 30, image: 30 },
  });
  expect(priceOfRates([tokens("input_text", 5), output, tokens("output_text", 10)], "image")).toMatchObject({
    perMillionOutputTokens: { text: 10, image: 30 },
  });
});

test("tokens need a price in both directions", () => {
  expect(priceOfRates([tokens("input_text", 5)], "image")).toBeUndefined();
  expect(priceOfRates([tokens("output_image", 5)], "image")).toBeUndefined();
  expect(priceOfRates([], "image")).toBeUndefined();
});

const megapixel = (usd: number, which?: "first" | "further"): Rate => ({
  billable: "output_image",
  unit: "megapixel",
  usd,
  ...(which && { variant: { megapixel: which } }),
});

test("a megapixel has one price, or one for the first and one for each further", () => {
  const input: Rate = { ...megapixel(0.01), billable: "input_image" };
  const both = [megapixel(0.03, "first"), megapixel(0.015, "further")];

  expect(priceOfRates([megapixel(0.03)], "image")).toEqual({ perMegapixel: 0.03 });
  expect(priceOfRates(both, "image")).toEqual({ perMegapixel: { first: 0.03, further: 0.015 } });
  expect(priceOfRates([megapixel(0.02), megapixel(0.03, "first")], "image")).toEqual({
    perMegapixel: { first: 0.03, further: 0.02 },
  });
  expect(priceOfRates([megapixel(0.02), input], "image")).toEqual({
    perMegapixel: { first: 0.02, further: 0.02, input: 0.01 },
  });
  expect(priceOfRates([megapixel(0.03, "first")], "image")).toBeUndefined();
  expect(priceOfRates([megapixel(0.03, "further")], "image")).toBeUndefined();
  expect(ratesOfPrice({ perMegapixel: 0.03 })).toEqual([megapixel(0.03)]);
  expect(ratesOfPrice({ perMegapixel: { first: 0.03, further: 0.015 } })).toEqual(both);
  expect(ratesOfPrice({ perMegapixel: { first: 0.03, further: 0.015, input: 0.01 } })).toEqual([
    ...both,
    input,
  ]);
});

test("an image has one price, or one by size and quality", () => {
  const image = (usd: number, variant?: Rate["variant"]): Rate => ({
    billable: "output_image",
    unit: "image",
    usd,
    ...(variant && { variant }),
  });
  const rates = [
    image(0.04, { size: "1024x1024", quality: "low" }),
    image(0.08, { size: "1024x1024", quality: "high" }),
    image(0.1, { size: "2K" }),
    image(0.2, { quality: "high" }),
  ];
  const perImage = { "1024x1024": { low: 0.04, high: 0.08 }, "2K": { "*": 0.1 }, "*": { high: 0.2 } };

  expect(priceOfRates([image(0.04)], "image")).toEqual({ perImage: 0.04 });
  expect(priceOfRates(rates, "image")).toEqual({ perImage });
  expect(priceOfRates(rates.slice(0, 1), "image")).toEqual({ perImage: { "1024x1024": { low: 0.04 } } });
  expect(priceOfRates([image(0.04), image(0.2, { size: "2K" })], "image")).toEqual({
    perImage: { "*": { "*": 0.04 }, "2K": { "*": 0.2 } },
  });
  expect(ratesOfPrice({ perImage })).toEqual(rates);
  expect(ratesOfPrice({ perImage: 0.04 })).toEqual([image(0.04)]);
  expect(ratesOfPrice({ perImage: { "*": 0.04, "2K": 0.1 } })).toEqual([
    image(0.04),
    image(0.1, { size: "2K" }),
  ]);
});

test("a price of the configuration is a list of rates", () => {
  expect(ratesOfPrice({ perMillionInputTokens: 5, perMillionOutputTokens: 30 })).toEqual([
    tokens("input_text", 5),
    tokens("input_image", 5),
    tokens("output_text", 30),
    tokens("output_image", 30),
  ]);
  expect(
    ratesOfPrice({
      perMillionInputTokens: { text: 5, image: 8, cachedText: 1, cachedImage: 2 },
      perMillionOutputTokens: { text: 10, image: 30 },
    }),
  ).toEqual([
    tokens("input_text", 5),
    tokens("input_text", 1, true),
    tokens("input_image", 8),
    tokens("input_image", 2, true),
    tokens("output_text", 10),
    tokens("output_image", 30),
  ]);
  expect(ratesOfPrice({ perSecond: 0.01, perRequest: 0.002 })).toEqual([
    { billable: "output_image", unit: "second", usd: 0.01 },
    { billable: "output_image", unit: "request", usd: 0.002 },
  ]);
  expect(priceOfRates(ratesOfPrice({ perSecond: 0.01, perRequest: 0.002 }), "image")).toEqual({
    perSecond: 0.01,
    perRequest: 0.002,
  });
});
