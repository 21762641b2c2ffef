import { type ContentInput, estimateImageTokens } from "@model-gateway/domain/content-input";
import { imageInMemory } from "@model-gateway/domain/image-input";
import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, test } from "vitest";
import {
  callCost,
  countFiles,
  embeddingCost,
  estimateEmbeddingCost,
  estimateInputTokens,
  savingOf,
} from "./cost.js";

describe("embedding cost", () => {
  test("embeddings are priced by the token, to the billionth of a dollar", () => {
    expect(embeddingCost({ perMillionTokens: 0.02 }, 7)).toBe(140);
    expect(embeddingCost({ perMillionTokens: 0.13 }, 1_000_000)).toBe(130_000_000);
    expect(embeddingCost({ perMillionTokens: 0 }, 1_000_000)).toBe(0);
  });

  test("without a known price the cost is null, and never 0", () => {
    expect(embeddingCost(undefined, 7)).toBeNull();
    expect(embeddingCost({ perImage: 1 }, 7)).toBeNull();
  });

  test("no work costs 0, whatever the price", () => {
    expect(embeddingCost(undefined, 0)).toBe(0);
  });

  test("a reported cost counts more than a list price, and less than the operator's", () => {
    const price = { perMillionTokens: 1 };

    expect(callCost({}, 7, { reportedNanos: 42 })).toBe(42);
    expect(callCost({ price, isListPrice: true }, 7, { reportedNanos: 42 })).toBe(42);
    expect(callCost({ price }, 7, { reportedNanos: 42 })).toBe(7_000);
    expect(callCost({ price, isListPrice: true }, 7)).toBe(7_000);
  });

  test.each([
    ["images have their own price by token", { perMillionTokens: 2, perMillionImageTokens: 10 }, 40, 520_000],
    ["an image has a price", { perMillionTokens: 2, perInputImage: 0.001 }, 40, 2_120_000],
    [
      "an image has a price, and its tokens are not told",
      { perMillionTokens: 2, perInputImage: 0.001 },
      undefined,
      2_200_000,
    ],
    ["all tokens cost the same", { perMillionTokens: 1 }, 40, 100_000],
    [
      "a price by token needs the number of them",
      { perMillionTokens: 1, perMillionImageTokens: 1 },
      undefined,
      null,
    ],
    ["a free model costs nothing", { perMillionTokens: 0, perMillionImageTokens: 0 }, undefined, 0],
  ])("%s", (_name, price, tokens, expected) => {
    expect(callCost({ price }, 100, { images: { count: 2, tokens } })).toBe(expected);
  });

  test("a list price for texts says nothing about images", () => {
    const images = { count: 1, tokens: 40 };

    expect(callCost({ price: { perMillionTokens: 1 }, isListPrice: true }, 100, { images })).toBeNull();
    expect(callCost({ price: { perMillionTokens: 0 }, isListPrice: true }, 100, { images })).toBe(0);
    expect(callCost({}, 100, { images })).toBeNull();
    const none = { count: 0, tokens: 0 };
    expect(callCost({ price: { perMillionTokens: 1 }, isListPrice: true }, 100, { images: none })).toBe(
      100_000,
    );
  });

  test("images are in the estimate, at the higher price", () => {
    const price = { perMillionTokens: 1, perMillionImageTokens: 10, perInputImage: 0.001 };

    expect(estimateEmbeddingCost([{ price }], 100, { images: 2 })).toBe(3_000_000);
    expect(estimateEmbeddingCost([{ price }], 100)).toBe(100_000);
  });

  test("the most expensive target decides the estimate, since any of them may serve", () => {
    const targets = [{ price: { perMillionTokens: 0.02 } }, { price: { perMillionTokens: 0.13 } }, {}];

    expect(estimateEmbeddingCost(targets, 100)).toBe(13_000);
    expect(estimateEmbeddingCost(targets.toReversed(), 100)).toBe(13_000);
    expect(estimateEmbeddingCost([{}], 100)).toBeNull();
  });

  test("cached inputs would have cost the cheapest target's price", () => {
    expect(savingOf(20, [{ price: { perMillionTokens: 4 } }, { price: { perMillionTokens: 1 } }])).toBe(
      20_000,
    );
  });

  test("a saving at a target without a price is unknown", () => {
    expect(savingOf(20, [{ price: { perMillionTokens: 1 } }, {}])).toBeNull();
  });
});

describe("estimate tokens", () => {
  test("every form of input has an estimate", async () => {
    expect(await estimateInputTokens("twelve bytes")).toBe(3);
    expect(await estimateInputTokens("a")).toBe(1);
    expect(await estimateInputTokens(["twelve bytes", "a"])).toBe(4);
    expect(await estimateInputTokens([1, 2, 3])).toBe(3);
    expect(await estimateInputTokens([[1, 2, 3], [4]])).toBe(4);
    const given = [
      { type: "text", text: "twelve bytes" },
      { type: "image_url", image_url: { url: "" } },
    ] as const;
    expect(await estimateInputTokens(["a", { content: [...given] }])).toBe(1004);
  });

  test("an image that was read counts by its size", async () => {
    const [width, height] = [64, 32];
    const image = { ...imageInMemory(Buffer.alloc(1), "png"), width, height };
    const content: ContentInput = {
      parts: [
        { type: "text", text: "twelve bytes" },
        { type: "image", image },
      ],
      digest: "",
      imageCount: 1,
      contentBytes: 1,
    };

    expect(await estimateInputTokens([content])).toBe(3 + estimateImageTokens(image));
    expect(estimateImageTokens(image)).toBeGreaterThan(0);
  });

  test("the images of a request are counted before they are read", () => {
    const image = { type: "image_url", image_url: { url: "" } } as const;
    const text = { type: "text", text: "a" } as const;

    expect(countFiles("a").images).toBe(0);
    expect(countFiles([1, 2]).images).toBe(0);
    expect(countFiles(["a", { content: [image, text, image] }, { content: [image] }]).images).toBe(3);
  });

  test.each([
    "The gateway checks every request against a published document before it is sent anywhere.",
    "Der Donaudampfschifffahrtskapitän überquerte gemächlich die größte Brücke der Stadt.",
    "昨日は雨が降っていたので、図書館で一日中本を読んでいました。",
    'for (const [index, value] of Object.entries(table)) total += value ?? fallback["x"];',
  ])("the estimate for %s is within a factor of two of the real count", async (text) => {
    const actual = encode(text).length;

    const estimate = await estimateInputTokens(text);

    expect(estimate / actual).toBeGreaterThan(0.5);
    expect(estimate / actual).toBeLessThan(2);
  });
});
