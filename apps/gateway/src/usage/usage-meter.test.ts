import { describe, expect, test } from "vitest";
import type { AccessKey } from "../domain/access-key.js";
import { Budgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import { UsageMeter, type UsageMeterOptions } from "./usage-meter.js";

describe("usage meter", () => {
  const model = { id: "m" };
  /** A request at a dollar for a million tokens. */
  const asking = (tokens: number) => ({
    model,
    tokens,
    costNanos: tokens * 1000,
    countsIfAbandoned: true as const,
  });
  const used = (inputTokens: number, costNanos: number | null) => ({
    inputTokens,
    outputTokens: 0,
    images: 0,
    costNanos,
  });

  function createKey(key: Partial<AccessKey>): AccessKey {
    return { id: "key_1", name: "one", limits: {}, isDisabled: false, ...key };
  }

  function createOptions(): UsageMeterOptions {
    return {
      limits: openLimits({ now: () => 0 }),
      budgets: new Budgets({
        now: () => 0,
        spentSince: async () => 0,
        spentByKey: async () => new Map(),
        untilShipped: async () => undefined,
        onLedgerUnavailable: () => undefined,
      }),
    };
  }

  test("closing returns the usage and its cost", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(10));

    meter.add(used(12, 12_000));

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 12,
      outputTokens: 0,
      images: 0,
      costNanos: 12_000,
      cachedInputs: 0,
      savedNanos: 0,
    });
  });

  test("a request that is given back counts in no limit and no budget", async () => {
    const options = createOptions();
    const key = createKey({
      limits: { requestsPerMinute: 1, tokensPerDay: 10, maxConcurrency: 1 },
      budget: { usd: 0.00001, per: "day" },
    });
    const checked = new UsageMeter(key, options);
    await checked.open(asking(10));

    checked.giveBack();

    expect(checked.close({ isAbandoned: false })).toMatchObject({ inputTokens: 0, costNanos: 0 });
    await new UsageMeter(key, options).open(asking(10));
    await expect(new UsageMeter(key, options).open(asking(1))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });

  test("the usage is the sum over all calls", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(10));

    meter.add(used(15, 25_000));
    meter.add({ ...used(2, 2_000), outputTokens: 7, images: 1 });

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 17,
      outputTokens: 7,
      images: 1,
      costNanos: 27_000,
      cachedInputs: 0,
      savedNanos: 0,
    });
  });

  test("cached inputs are counted with the cost they have saved", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(10));

    meter.add(used(20, 0));
    meter.addCached(3, 20_000);

    expect(meter.close({ isAbandoned: false })).toEqual({
      inputTokens: 20,
      outputTokens: 0,
      images: 0,
      costNanos: 0,
      cachedInputs: 3,
      savedNanos: 20_000,
    });
  });

  test("one unknown cost makes the whole cost unknown", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(10));

    meter.add(used(6, 6_000));
    meter.add(used(6, null));

    expect(meter.close({ isAbandoned: false }).costNanos).toBeNull();
  });

  test("tokens that were estimated and not used are available to the next request", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const first = new UsageMeter(key, options);
    await first.open(asking(90));
    first.add(used(10, 10_000));
    first.close({ isAbandoned: false });

    await expect(async () => new UsageMeter(key, options).open(asking(91))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await new UsageMeter(key, options).open(asking(90));
  });

  test("a caller that leaves before anything was counted is charged the estimate", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const abandoned = new UsageMeter(key, options);
    await abandoned.open(asking(90));

    abandoned.close({ isAbandoned: true });

    await expect(async () => new UsageMeter(key, options).open(asking(20))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });

  test("a concurrent request ends with its meter, even when the caller leaves during admission", async () => {
    const options = createOptions();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 1, per: "day" } });
    const abandoned = new UsageMeter(key, options);
    const opening = abandoned.open(asking(1));
    abandoned.close({ isAbandoned: true });
    await expect(opening).rejects.toThrow("ended before it was admitted");

    const next = new UsageMeter(key, options);
    await next.open(asking(1));

    await expect(async () => new UsageMeter(key, options).open(asking(1))).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    next.close({ isAbandoned: false });
    await new UsageMeter(key, options).open(asking(1));
  });

  test("a request over the budget no longer counts as concurrent", async () => {
    const options = createOptions();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 0.000001, per: "day" } });
    const expensive = new UsageMeter(key, options);

    await expect(expensive.open(asking(10))).rejects.toMatchObject({ code: "insufficient_quota" });
    expensive.close({ isAbandoned: false });

    await new UsageMeter(key, options).open(asking(1));
  });

  const twoImages = { model: { id: "p" }, tokens: 1, images: 2, costNanos: 500_000_000 };

  test("after a lost reply the cost is unknown, and the estimate counts", async () => {
    const options = createOptions();
    const key = createKey({ limits: { imagesPerDay: 3 }, budget: { usd: 0.6, per: "day" } });
    const meter = new UsageMeter(key, options);
    await meter.open(twoImages);

    meter.markCostUnknown();

    expect(meter.close({ isAbandoned: false })).toMatchObject({ images: 0, costNanos: null });
    const more = { ...twoImages, images: 1, costNanos: 250_000_000 };
    await expect(async () => new UsageMeter(key, options).open(twoImages)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await expect(async () => new UsageMeter(key, options).open(more)).rejects.toMatchObject({
      code: "insufficient_quota",
    });
  });

  test("a free model costs nothing, even after a lost reply", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open({ ...twoImages, costNanos: 0 });

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
