import { BatchTooLargeError, type StatedLimit } from "@model-gateway/domain/requests";
import { embeddingModel } from "@model-gateway/domain/test/embedding-model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutForBulk, divideUsage, LearnedLimits, planBatches } from "./batches.js";

const size = { tokensOf: (item: number) => item, charactersOf: (item: number) => 3 * item };

describe("cutForBulk", () => {
  const whole = { maxInputs: 2048, maxTokens: 300_000, maxCharacters: 1_000_000 };

  test.each([
    [{}, { ...whole, maxInputs: 64 }],
    [{ bulkMaxInputs: 500 }, { ...whole, maxInputs: 500 }],
    [{ capacity: { tokensPerMinute: 10_000 } }, { ...whole, maxInputs: 64, maxTokens: 500 }],
  ])("with a target like %j, a bulk call has at most %j", (target, expected) => {
    expect(cutForBulk(whole, embeddingModel({}, target))).toEqual(expected);
  });

  test("lines of a file go in larger calls, unless the target sets a limit", () => {
    const [free, set] = [embeddingModel(), embeddingModel({}, { bulkMaxInputs: 32 })];

    expect(cutForBulk(whole, free, "lines").maxInputs).toBe(128);
    expect(cutForBulk(whole, set, "lines").maxInputs).toBe(32);
  });

  test("a limit that is smaller already stays", () => {
    const small = { maxInputs: 1, maxTokens: 10, maxCharacters: 100 };

    expect(cutForBulk(small, embeddingModel())).toEqual(small);
  });
});

describe("planBatches", () => {
  test("contents are also split by their images and bytes", () => {
    const content = (imageCount: number, contentBytes: number) => ({ imageCount, contentBytes });
    const limit = { maxInputs: 3, maxTokens: 100, maxCharacters: 100, images: { maxCount: 4, maxBytes: 10 } };
    const items = [
      content(2, 1),
      content(2, 1),
      content(1, 1),
      content(0, 0),
      content(1, 9),
      content(1, 11),
      content(1, 1),
    ];

    const batches = planBatches(items, limit, {
      tokensOf: () => 1,
      charactersOf: () => 1,
      contentOf: (item) => ({ ...item, digest: "", parts: [{ type: "text", text: "" }] }),
    });

    expect(batches).toEqual([items.slice(0, 2), items.slice(2, 5), items.slice(5, 6), items.slice(6)]);
  });

  test("batches keep the order and all items, and each fits the limit or is a single item", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 200 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 300 }),
        (items, maxInputs, maxTokens, maxCharacters) => {
          const batches = planBatches(items, { maxInputs, maxTokens, maxCharacters }, size);

          expect(batches.flat()).toEqual(items);
          for (const batch of batches) {
            const tokens = batch.reduce((sum, item) => sum + item, 0);
            expect(batch.length).toBeGreaterThan(0);
            const fits = batch.length <= maxInputs && tokens <= maxTokens && 3 * tokens <= maxCharacters;
            expect(batch.length === 1 || fits).toBe(true);
          }
        },
      ),
      { numRuns: 3000, seed: 20261115 },
    );
  });

  test("batches are as large as the limit allows", () => {
    const limit = { maxInputs: 2, maxTokens: 100, maxCharacters: 100 };

    expect(planBatches([1, 1, 1, 1, 1], limit, size)).toEqual([[1, 1], [1, 1], [1]]);
    expect(planBatches([1, 1, 1], { ...limit, maxCharacters: 5 }, size)).toEqual([[1], [1], [1]]);
  });
});

describe("shareUsage", () => {
  test("shares are whole, not negative, and add up to the total", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 100 }),
        (total, weights) => {
          const shares = divideUsage(total, weights);

          expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
          expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
        },
      ),
      { numRuns: 3000, seed: 20261115 },
    );
  });

  test("equal weights get equal shares", () => {
    expect(divideUsage(9, [4, 4, 4])).toEqual([3, 3, 3]);
  });
});

describe("LearnedLimits", () => {
  const model = embeddingModel({}, { maxInputs: 100, maxTokensPerRequest: 1000 });
  const [target] = model.targets;
  const refusal = (limit: StatedLimit) => new BatchTooLargeError("Too large.", limit, { target });

  test.each([
    [{ maxInputs: 32 }, { maxInputs: 32, maxTokens: 1000 }],
    [{ maxTokens: 500 }, { maxInputs: 100, maxTokens: 500 }],
    [{ isAboutTokens: true }, { maxInputs: 100, maxTokens: 400 }],
    [{}, { maxInputs: 25, maxTokens: 1000 }],
    [{ maxInputs: 99 }, { maxInputs: 25, maxTokens: 1000 }],
  ])("a refusal that states %j teaches %j", (stated, expected) => {
    const limits = new LearnedLimits();

    expect(limits.learn(refusal(stated), { inputs: 50, tokens: 800 })).toBe(true);

    expect(limits.of(model)).toMatchObject(expected);
  });

  test("one input alone teaches nothing", () => {
    const limits = new LearnedLimits();

    expect(limits.learn(refusal({ isAboutTokens: true }), { inputs: 1, tokens: 800 })).toBe(false);
  });

  test("a new configuration keeps the limits learned for its targets, at unchanged upstreams", () => {
    const limits = new LearnedLimits();
    limits.learn(refusal({ maxInputs: 8 }), { inputs: 50, tokens: 800 });

    limits.adopt([target], new Set(["other"]));
    expect(limits.of(model).maxInputs).toBe(8);
    limits.adopt([target], new Set([target.upstream]));
    expect(limits.of(model).maxInputs).toBe(100);
  });
});
