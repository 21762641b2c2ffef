import { builtInCatalogue } from "@model-gateway/catalogue/catalogue";
import { describe, expect, test } from "vitest";
import { imageCost } from "./cost.js";
import { estimateImageCost } from "./estimate-cost.js";

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

  test("seconds are priced as reported, with what is added per request, and unknown if they are not", () => {
    const price = { perSecond: 0.0014, perRequest: 0.001 };

    expect(imageCost({ price, images: [{}], computeSeconds: 2.4 })).toBe(4_360_000);
    expect(imageCost({ price, images: [{}] })).toBeNull();
  });

  test("with prices of both kinds, reported tokens decide", () => {
    const price = { ...byTokens, perImage: 0.5 };

    expect(imageCost({ price, images: [square], usage })).toBe(10 * 5_000 + 100 * 8_000 + 4160 * 30_000);
    expect(imageCost({ price, images: [square] })).toBe(500_000_000);
  });

  test("a cost that the upstream reports counts more than a list price, and less than the operator's", () => {
    const work = { images: [square], usage, reportedUsd: 0.045 };

    expect(imageCost({ ...work })).toBe(45_000_000);
    expect(imageCost({ ...work, price: { perImage: 0.5 }, isListPrice: true })).toBe(45_000_000);
    expect(imageCost({ ...work, price: { perImage: 0.5 } })).toBe(500_000_000);
  });

  test("a price by the request is added once for each call, and may stand alone", () => {
    expect(imageCost({ price: { perRequest: 0.01 }, images: [square, square] })).toBe(10_000_000);
    expect(imageCost({ price: { perRequest: 0.01, perImage: 0.04 }, images: [square, square] })).toBe(
      90_000_000,
    );
    expect(imageCost({ price: { ...byTokens, perRequest: 0.01 }, images: [square], usage })).toBe(
      10_000_000 + 10 * 5_000 + 100 * 8_000 + 4160 * 30_000,
    );
  });

  test("cached tokens of an unknown kind count as text first", () => {
    const price = {
      perMillionInputTokens: { text: 5, image: 8, cachedText: 1.25, cachedImage: 2 },
      perMillionOutputTokens: 30,
    };
    const details = { text_tokens: 10, image_tokens: 100, cached_tokens: 30 };

    expect(imageCost({ price, images: [square], usage: { ...usage, input_tokens_details: details } })).toBe(
      10 * 1_250 + 20 * 2_000 + 80 * 8_000 + 4160 * 30_000,
    );
  });

  test("an image of an unknown size has no price by the megapixel", () => {
    expect(imageCost({ price: { perMegapixel: 0.01 }, images: [{ size: "auto" }] })).toBeNull();
  });

  test("a size has the price of its resolution", () => {
    const price = { perImage: { "1K": 0.1, "2K": 0.2, "4K": 0.4 } };
    const ofSize = (size: string) => imageCost({ price, images: [{ size }] });

    expect(ofSize("1376x768")).toBe(100_000_000);
    expect(ofSize("3072x2048")).toBe(200_000_000);
    expect(ofSize("4096x4096")).toBe(400_000_000);
    expect(ofSize("512x512")).toBeNull();
  });

  test("a size named like an inherited property has no price", () => {
    expect(
      imageCost({ price: { perImage: { "1024x1024": 1 } }, images: [{ size: "constructor" }] }),
    ).toBeNull();
  });
});

/** Figures from the vendors' pages. The catalogue has each page and the day it was read. */
describe("a bill", () => {
  const catalogue = builtInCatalogue();
  const priceOf = (provider: string, model: string, baseUrl: string) => {
    const price = catalogue.priceOf({ provider, model, baseUrl });
    if (price === undefined) throw new Error(`${model} has no price.`);
    return { price, isListPrice: true };
  };

  /** Two partial images, of 100 tokens each. */
  const tokens = {
    input_tokens: 3000,
    input_tokens_details: {
      text_tokens: 1000,
      image_tokens: 2000,
      cached_tokens: 1600,
      cached_tokens_details: { text_tokens: 600, image_tokens: 1000 },
    },
    output_tokens: 4360,
    output_tokens_details: { text_tokens: 0, image_tokens: 4360 },
    total_tokens: 7360,
  };

  test("of gpt-image-1-mini: text $2 and $0.20 cached, images $2.50 and $0.25 cached, output $8 for a million tokens", () => {
    const price = priceOf("openai", "gpt-image-1-mini", "https://api.openai.com/v1");

    expect(imageCost({ ...price, images: [{}], usage: tokens })).toBe(
      (400 * 2 + 600 * 0.2 + 1000 * 2.5 + 1000 * 0.25 + 4360 * 8) * 1000,
    );
  });

  test.each([
    ["gpt-image-2", 5, 1.25, 8, 2, 30],
    ["gpt-image-2.5-flare", 5, 1.25, 8, 2, 30],
    ["gpt-image-2.5-sunburst", 5, 1.25, 8, 2, 30],
  ])(
    "of %s: text $%d and $%d cached, images $%d and $%d cached, output $%d for a million tokens",
    (model, text, cachedText, image, cachedImage, output) => {
      const price = priceOf("openai", model, "https://api.openai.com/v1");

      expect(imageCost({ ...price, images: [{}], usage: tokens })).toBe(
        (400 * text + 600 * cachedText + 1000 * image + 1000 * cachedImage + 4360 * output) * 1000,
      );
    },
  );

  test.each([
    ["gemini-3-pro-image", 2, 12, 120],
    ["gemini-3.1-flash-image", 0.5, 3, 60],
  ])(
    "of %s: input $%d, text and thoughts $%d, images $%d for a million tokens",
    (model, input, text, image) => {
      const price = priceOf("gemini", model, "https://generativelanguage.googleapis.com/v1beta");
      const usage = {
        input_tokens: 1220,
        input_tokens_details: { text_tokens: 100, image_tokens: 1120 },
        output_tokens: 1420,
        output_tokens_details: { text_tokens: 300, image_tokens: 1120 },
        total_tokens: 2640,
      };

      expect(imageCost({ ...price, images: [{}], usage })).toBe(
        (1220 * input + 300 * text + 1120 * image) * 1000,
      );
    },
  );

  test("at the operator's price: text $5 and $1.25 cached, images $8 and $2 cached, output $30 for a million tokens", () => {
    const price = {
      perMillionInputTokens: { text: 5, cachedText: 1.25, image: 8, cachedImage: 2 },
      perMillionOutputTokens: { text: 10, image: 30 },
    };

    expect(imageCost({ price, images: [{}], usage: tokens })).toBe(
      (400 * 5 + 600 * 1.25 + 1000 * 8 + 1000 * 2 + 4360 * 30) * 1000,
    );
  });

  test.each([
    ["1024x1024", "low", 0.005],
    ["1024x1536", "medium", 0.015],
    ["1536x1024", "high", 0.052],
  ])("of gpt-image-1-mini, %s in %s quality: $%d an image", (size, quality, usd) => {
    const { price } = priceOf("openai", "gpt-image-1-mini", "https://api.openai.com/v1");

    expect(imageCost({ price, images: [{ size, quality }] })).toBe(Math.round(usd * 1e9));
  });

  test.each([
    ["flux-2-pro", "1024x1024", 0, 0.03],
    ["flux-2-pro", "1920x1080", 0, 0.045],
    ["flux-2-pro", "1920x1080", 1, 0.06],
    ["flux-2-max", "2048x2048", 0, 0.16],
    ["flux-2-klein-4b", "2048x1024", 0, 0.015],
    ["flux-2-flex", "1024x1024", 1, 0.1],
  ])("of %s by the megapixel, %s with %i of input: $%d", (model, size, inputMegapixels, usd) => {
    const { price } = priceOf("bfl", model, "https://api.bfl.ai/v1");

    expect(imageCost({ price, images: [{ size }], inputMegapixels })).toBe(Math.round(usd * 1e9));
  });

  test.each([
    ["flux-pro-1.1", 0.04],
    ["flux-pro-1.1-ultra", 0.06],
    ["flux-pro-1.0-fill", 0.05],
  ])("of %s: $%d an image", (model, usd) => {
    const { price } = priceOf("bfl", model, "https://api.bfl.ai/v1");

    expect(imageCost({ price, images: [{ size: "1024x1024" }, {}] })).toBe(Math.round(2 * usd * 1e9));
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

  test("seconds that nobody knows yet are estimated as ten for each image", () => {
    expect(estimateImageCost({ targets: [{ price: { perSecond: 0.001 } }], tokens: 0, count: 2 })).toBe(
      20_000_000,
    );
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
    expect(ahead({ size: "1024x1024", quality: "low", partialImages: 2 })).toBe(
      10 * 5_000 + (272 + 200) * 30_000,
    );
  });

  test("images priced by the megapixel are estimated by their size, or as two megapixels", () => {
    const price = { perMegapixel: { first: 0.03, further: 0.015 }, perRequest: 0.001 };
    const ahead = (variant: object) =>
      estimateImageCost({ targets: [{ price }], tokens: 10, count: 2, ...variant });

    expect(ahead({ size: "1024x1024" })).toBe(61_000_000);
    expect(ahead({ size: "auto" })).toBe(91_000_000);
  });
});
