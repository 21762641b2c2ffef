import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, test } from "vitest";
import type { AccessKey } from "../domain/access-key.js";
import { openBudgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import { estimateInputTokens, UsageMeter, type UsageMeterOptions } from "./usage-meter.js";

describe("usage meter", () => {
  const model = { id: "m", targets: [{ price: { perMillionTokens: 1 } }] };
  const price = { perMillionTokens: 1 };

  function createKey(key: Partial<AccessKey>): AccessKey {
    return { id: "key_1", name: "one", limits: {}, isDisabled: false, ...key };
  }

  function createOptions(): UsageMeterOptions {
    return {
      limits: openLimits({ now: () => 0 }),
      budgets: openBudgets({
        now: () => 0,
        spentSince: async () => 0,
        spentByKey: async () => new Map(),
        untilShipped: async () => undefined,
        onLedgerUnavailable: () => undefined,
      }),
    };
  }

  test("closing returns what was used, and its cost", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ model, tokens: 10 });

    meter.addEmbeddings(12, [{ price, tokens: 12 }]);

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 12,
      outputTokens: 0,
      images: 0,
      costNanos: 12_000,
      cachedInputs: 0,
      savedNanos: 0,
    });
  });

  test("the cost of an embedding is the sum over its inputs", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ model, tokens: 10 });

    meter.addEmbeddings(15, [
      { price, tokens: 6 },
      { price: { perMillionTokens: 3 }, tokens: 5 },
      { price, tokens: 4 },
    ]);
    meter.addEmbeddings(2, [{ price, tokens: 2 }]);

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 17,
      outputTokens: 0,
      images: 0,
      costNanos: 6_000 + 15_000 + 4_000 + 2_000,
      cachedInputs: 0,
      savedNanos: 0,
    });
  });

  test("cached inputs are counted with what they would have cost at the cheapest target", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    const targets = [{ price: { perMillionTokens: 4 } }, { price }];
    await meter.open({ model: { id: "m", targets }, tokens: 10 });

    meter.addEmbeddings(20, []);
    meter.addCached({ inputs: 3, tokens: 20 });

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 20,
      outputTokens: 0,
      images: 0,
      costNanos: 0,
      cachedInputs: 3,
      savedNanos: 20_000,
    });
  });

  test("a saving at a target without a price is unknown", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ model: { id: "m", targets: [{ price }, {}] }, tokens: 10 });

    meter.addCached({ inputs: 1, tokens: 20 });

    expect(meter.close({ isAbandoned: false })).toMatchObject({ cachedInputs: 1, savedNanos: null });
  });

  test("one unknown price makes the whole cost unknown", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ model, tokens: 10 });

    meter.addEmbeddings(12, [
      { price, tokens: 6 },
      { price: undefined, tokens: 6 },
    ]);

    expect(meter.close({ isAbandoned: false }).costNanos).toBeNull();
  });

  test("tokens that were estimated and not used are available to the next request", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const first = new UsageMeter(key, options);
    await first.open({ model, tokens: 90 });
    first.addEmbeddings(10, [{ price, tokens: 10 }]);
    first.close({ isAbandoned: false });

    await expect(async () => new UsageMeter(key, options).open({ model, tokens: 91 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await new UsageMeter(key, options).open({ model, tokens: 90 });
  });

  test("a caller that leaves before anything was counted is charged the estimate", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const abandoned = new UsageMeter(key, options);
    await abandoned.open({ model, tokens: 90 });

    abandoned.close({ isAbandoned: true });

    await expect(async () => new UsageMeter(key, options).open({ model, tokens: 20 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });

  test("a concurrent request ends with its meter, also when the caller leaves during admission", async () => {
    const options = createOptions();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 1, per: "day" } });
    const abandoned = new UsageMeter(key, options);
    const opening = abandoned.open({ model, tokens: 1 });
    abandoned.close({ isAbandoned: true });
    await expect(opening).rejects.toThrow("ended before it was admitted");

    const next = new UsageMeter(key, options);
    await next.open({ model, tokens: 1 });

    await expect(async () => new UsageMeter(key, options).open({ model, tokens: 1 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    next.close({ isAbandoned: false });
    await new UsageMeter(key, options).open({ model, tokens: 1 });
  });

  test("a request over the budget no longer counts as concurrent", async () => {
    const options = createOptions();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 0.000001, per: "day" } });
    const expensive = new UsageMeter(key, options);

    await expect(expensive.open({ model, tokens: 10 })).rejects.toMatchObject({ code: "insufficient_quota" });
    expensive.close({ isAbandoned: false });

    await new UsageMeter(key, options).open({ model, tokens: 1 });
  });

  const image = { id: "p", targets: [{ price: { perImage: 0.25 } }] };
  const twoImages = { model: image, tokens: 1, images: { count: 2 } };

  test("after a lost reply the cost is unknown, and the estimate counts", async () => {
    const options = createOptions();
    const key = createKey({ limits: { imagesPerDay: 3 }, budget: { usd: 0.6, per: "day" } });
    const meter = new UsageMeter(key, options);
    await meter.open(twoImages);

    meter.markCostUnknown();

    expect(meter.close({ isAbandoned: false })).toMatchObject({ images: 0, costNanos: null });
    const more = { ...twoImages, images: { count: 1 } };
    await expect(async () => new UsageMeter(key, options).open(twoImages)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await expect(async () => new UsageMeter(key, options).open(more)).rejects.toMatchObject({
      code: "insufficient_quota",
    });
  });

  test("a free model costs nothing, even after a lost reply", async () => {
    const free = { id: "f", targets: [{ price: { perImage: 0 } }] };
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ ...twoImages, model: free });

    meter.markCostUnknown();

    expect(meter.close({ isAbandoned: true }).costNanos).toBe(0);
  });

  test("a caller that leaves before an image was requested is charged nothing", async () => {
    const options = createOptions();
    const key = createKey({ limits: { imagesPerDay: 2 } });
    const abandoned = new UsageMeter(key, options);
    await abandoned.open(twoImages);

    expect(abandoned.close({ isAbandoned: true }).costNanos).toBe(0);

    await new UsageMeter(key, options).open(twoImages);
  });
});

describe("estimate tokens", () => {
  test("every form of input has an estimate", async () => {
    expect(await estimateInputTokens("twelve bytes")).toBe(3);
    expect(await estimateInputTokens("a")).toBe(1);
    expect(await estimateInputTokens(["twelve bytes", "a"])).toBe(4);
    expect(await estimateInputTokens([1, 2, 3])).toBe(3);
    expect(await estimateInputTokens([[1, 2, 3], [4]])).toBe(4);
  });

  test.each([
    "The gateway checks every request against a published document before it is sent anywhere.",
    "Der Donaudampfschifffahrtskapitän überquerte gemächlich die größte Brücke der Stadt.",
    "昨日は雨が降っていたので、図書館で一日中本を読んでいました。",
    'for (const [index, value] of Object.entries(table)) total += value ?? fallback["x"];',
  ])("the estimate of %s is within a factor of two of the real count", async (text) => {
    const actual = encode(text).length;

    const estimate = await estimateInputTokens(text);

    expect(estimate / actual).toBeGreaterThan(0.5);
    expect(estimate / actual).toBeLessThan(2);
  });
});
