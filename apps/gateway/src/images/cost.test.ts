import { describe, expect, test } from "vitest";
import { estimateImageCost, imageCost } from "./cost.js";

describe("image cost", () => {
  const usage = {
    input_tokens: 110,
    input_tokens_details: { text_tokens: 10, image_tokens: 100 },
    output_tokens: 4160,
    total_tokens: 4270,
  };
  const square = { size: "1024x1024", quality: "high" };
  const byTokens = { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 };
  const byImage = {
    perImage: { "1024x1024": { low: 0.009, high: 0.133 }, "1536x1024": 0.2, "*": { "*": 0.25 } },
  };

  test("without a known price the cost is null, and never 0", () => {
    expect(imageCost({ price: undefined, images: [square], usage })).toBeNull();
    expect(imageCost({ price: byTokens, images: [square] })).toBeNull();
    expect(imageCost({ price: { perMillionTokens: 1 }, images: [square] })).toBeNull();
    expect(imageCost({ price: { perImage: { "512x512": 0.01 } }, images: [square] })).toBeNull();
    expect(imageCost({ price: { perImage: { "1024x1024": { low: 1 } } }, images: [square] })).toBeNull();
  });

  test("no work costs 0, whatever the price", () => {
    expect(imageCost({ price: undefined, images: [] })).toBe(0);
  });

  test("images are priced by the tokens that the upstream reports", () => {
    expect(imageCost({ price: byTokens, images: [square], usage })).toBe(
      10 * 5_000 + 100 * 8_000 + 4160 * 30_000,
    );
    expect(imageCost({ price: { ...byTokens, perMillionInputTokens: 5 }, images: [square], usage })).toBe(
      110 * 5_000 + 4160 * 30_000,
    );
  });

  test("images with a price per image are priced by count, size and quality", () => {
    expect(
      imageCost({ price: byImage, images: [square, square, { size: "1024x1024", quality: "low" }] }),
    ).toBe(275_000_000);
    expect(imageCost({ price: byImage, images: [{ size: "1536x1024", quality: "any" }], usage })).toBe(
      200_000_000,
    );
    expect(imageCost({ price: byImage, images: [{}] })).toBe(250_000_000);
    expect(imageCost({ price: { perImage: 0.04 }, images: [{}, {}] })).toBe(80_000_000);
  });

  test("with prices of both kinds, reported tokens decide", () => {
    const price = { ...byTokens, perImage: 0.5 };

    expect(imageCost({ price, images: [square], usage })).toBe(10 * 5_000 + 100 * 8_000 + 4160 * 30_000);
    expect(imageCost({ price, images: [square] })).toBe(500_000_000);
  });

  test("a size named like an inherited property has no price", () => {
    expect(
      imageCost({ price: { perImage: { "1024x1024": 1 } }, images: [{ size: "constructor" }] }),
    ).toBeNull();
  });
});

describe("estimate image cost", () => {
  const byTokens = { perMillionInputTokens: { text: 5, image: 8 }, perMillionOutputTokens: 30 };
  const byImage = {
    perImage: { "1024x1024": { low: 0.009, high: 0.133 }, "1536x1024": { low: 0.013, high: 0.2 } },
  };

  test("the most expensive target decides, since any of them may serve", () => {
    const targets = [{ price: { perImage: 0.02 } }, { price: { perImage: 0.13 } }, {}];

    expect(estimateImageCost({ targets, tokens: 100, count: 1 })).toBe(130_000_000);
  });

  test("without a known price the estimate is null", () => {
    expect(estimateImageCost({ targets: [{}], tokens: 100, count: 1 })).toBeNull();
    expect(estimateImageCost({ targets: [{ price: { perImage: 0 } }], tokens: 100, count: 1 })).toBe(0);
  });

  test("images are estimated by the table, and by its highest price where the upstream chooses", () => {
    const ahead = (variant: object) =>
      estimateImageCost({ targets: [{ price: byImage }], tokens: 9, count: 2, ...variant });

    expect(ahead({ size: "1024x1024", quality: "low" })).toBe(18_000_000);
    expect(ahead({ size: "1024x1024", quality: "auto" })).toBe(266_000_000);
    expect(ahead({ size: "auto", quality: "low" })).toBe(26_000_000);
    expect(ahead({})).toBe(400_000_000);
  });

  test("images priced by the token are estimated by pixels and quality", () => {
    const ahead = (variant: object) =>
      estimateImageCost({ targets: [{ price: byTokens }], tokens: 10, count: 1, ...variant });

    expect(ahead({ size: "1024x1024", quality: "low" })).toBe(10 * 5_000 + 272 * 30_000);
    expect(ahead({ size: "1024x1536", quality: "medium" })).toBe(10 * 5_000 + 1584 * 30_000);
    expect(ahead({ size: "auto", quality: "auto" })).toBe(10 * 5_000 + 6240 * 30_000);
  });
});
