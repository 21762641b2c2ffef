import { expect, test } from "vitest";
import type { Schemas } from "../../operations/schemas.js";
import { describePrice, listPrices, samplesFor } from "./describe-model.js";

type Rates = Schemas["PriceRate"][];
const perMillion = { unit: "token", per: 1_000_000 } as const;
const megapixel = { billable: "output_image", unit: "megapixel", per: 1 } as const;

test.each<[string, Rates | null]>([
  ["not known", null],
  ["free", [{ ...perMillion, billable: "input_text", usd: 0 }]],
  ["$0.02 / 1M", [{ ...perMillion, billable: "input_text", usd: 0.02 }]],
  [
    "$30.00 / 1M out",
    [
      { ...perMillion, billable: "input_text", usd: 5 },
      { ...perMillion, billable: "output_image", usd: 30 },
    ],
  ],
  [
    "$0.015 to $0.03 / megapixel",
    [
      { ...megapixel, usd: 0.03, variant: { megapixel: "first" } },
      { ...megapixel, usd: 0.015, variant: { megapixel: "further" } },
    ],
  ],
])("in short, a price is %s", (expected, rates) => {
  expect(describePrice(rates)).toBe(expected);
});

test("at length, each rate has what it is for", () => {
  expect(
    listPrices([
      { ...perMillion, billable: "input_image", usd: 2, variant: { cached: true } },
      { ...megapixel, usd: 0.03, variant: { megapixel: "first" } },
      {
        billable: "output_image",
        unit: "image",
        per: 1,
        usd: 0.17,
        variant: { size: "1024x1024", quality: "high" },
      },
    ]),
  ).toEqual([
    "input image, cached: $2.00 / 1,000,000 tokens",
    "output image, first megapixel: $0.03 / megapixel",
    "output image, 1024x1024, high: $0.17 / image",
  ]);
});

test("the samples of a model that takes images have an input with content", () => {
  const samples = (input_images: Schemas["InputImageLimits"] | null) =>
    samplesFor(
      { id: "m", type: "embedding", embedding: { input_images } as Schemas["EmbeddingCapabilities"] },
      "https://gateway.example",
    ).map(({ code }) => code);
  const content =
    '["The cat sat on the mat.", {"content": [{"type": "image_url", "image_url": {"url": "https://example.com/kitten.jpg"}}]}]';

  const withImages = samples({ max_per_input: 1, max_bytes: 1, mixes_parts: false });

  expect(withImages).toHaveLength(3);
  expect(withImages.filter((code) => !code.includes(content))).toEqual([]);
  expect(samples(null).filter((code) => code.includes("content"))).toEqual([]);
});
