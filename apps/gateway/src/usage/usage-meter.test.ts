import type { AccessKey } from "@model-gateway/domain/access-key";
import { describe, expect, test } from "vitest";
import { Budgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import { estimateTokens, UsageMeter, type UsageMeterOptions } from "./usage-meter.js";

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
      estimatedNanos: 0,
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
      estimatedNanos: 0,
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
      estimatedNanos: 0,
    });
  });

  test("one unknown cost makes the whole cost unknown", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(10));

    meter.add(used(6, 6_000));
    meter.add(used(6, null));
    meter.add(used(6, 6_000));

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

  test("the lost reply of a call beside others counts what the others used, and the cost as estimated", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const meter = new UsageMeter(key, options);
    await meter.open({ ...asking(90), costNanos: 90_000.4 });
    meter.add(used(10, 10_000));

    meter.markCostUnknown();

    expect(meter.used).toEqual(used(10, null));
    expect(meter.close({ isAbandoned: false })).toMatchObject({
      inputTokens: 10,
      costNanos: null,
      estimatedNanos: 90_000,
    });
    await new UsageMeter(key, options).open(asking(90));
  });

  test("a caller that leaves after something was counted is charged for that alone", async () => {
    const options = createOptions();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    for (const usage of [used(10, 10_000), { ...used(0, 10_000), images: 1 }]) {
      const meter = new UsageMeter(key, options);
      await meter.open(asking(90));
      meter.add(usage);

      expect(meter.close({ isAbandoned: true }).costNanos).toBe(10_000);
    }

    await new UsageMeter(key, options).open(asking(90));
  });

  test("the work so far, and the estimate, can be read while it goes on", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    expect(meter.estimatedNanos).toBeNull();

    await meter.open(asking(10));
    meter.add({ ...used(4, 4000), outputTokens: 2, images: 1 });

    expect(meter.estimatedNanos).toBe(10_000);
    expect(meter.used).toEqual({ inputTokens: 4, outputTokens: 2, images: 1, costNanos: 4000 });
  });

  test("a fallback counts in the limits of both models, and its price replaces that of the first", async () => {
    const options = createOptions();
    const key = createKey({ budget: { usd: 0.001, per: "day" } });
    const first = { ...asking(100), model: { id: "first", limits: { tokensPerMinute: 100 } } };
    const second = {
      ...asking(800),
      model: { id: "second", limits: { tokensPerMinute: 800, imagesPerDay: 1 } },
      images: 1,
    };
    const meter = new UsageMeter(key, options);
    await meter.open(first);

    await meter.changeModel(second);

    const others = () => new UsageMeter(createKey({ id: "key_2" }), options);
    for (const { model } of [first, second])
      await expect(others().open({ ...asking(1), model })).rejects.toMatchObject({
        code: "rate_limit_exceeded",
      });
    // 900 of the budget's 1000 tokens were asked for, and 800 are reserved.
    await new UsageMeter(key, options).open(asking(200));
    await expect(new UsageMeter(key, options).open(asking(1))).rejects.toThrow("budget");

    meter.add(used(40, 40_000));
    expect(meter.close({ isAbandoned: false })).toMatchObject({ inputTokens: 40, costNanos: 40_000 });
    await others().open({ ...asking(60), model: first.model });
    await others().open({ ...asking(760), model: second.model, images: 1 });
  });

  test("a fallback serves a key without a budget", async () => {
    const meter = new UsageMeter(createKey({}), createOptions());
    await meter.open(asking(1));

    await meter.changeModel({ ...asking(2), model: { id: "second" } });

    expect(meter.estimatedNanos).toBe(2000);
  });

  test("a request that a limit refused costs nothing, even if its caller left meanwhile", async () => {
    const meter = new UsageMeter(createKey({ limits: { tokensPerMinute: 1 } }), createOptions());

    await expect(meter.open(asking(2))).rejects.toMatchObject({ code: "rate_limit_exceeded" });

    expect(meter.close({ isAbandoned: true }).costNanos).toBe(0);
  });

  test("a fallback that a limit refuses leaves the first model's reservation", async () => {
    const options = createOptions();
    const key = createKey({ budget: { usd: 0.001, per: "day" } });
    const meter = new UsageMeter(key, options);
    await meter.open(asking(900));
    const model = { id: "second", limits: { tokensPerMinute: 1 } };

    await expect(meter.changeModel({ ...asking(900), model })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });

    expect(meter.estimatedNanos).toBe(900_000);
    await expect(new UsageMeter(key, options).open(asking(200))).rejects.toThrow("budget");
  });

  test("a caller that leaves while a fallback is admitted takes nothing from it", async () => {
    const options = createOptions();
    const meter = new UsageMeter(createKey({}), options);
    await meter.open(asking(1));
    const model = { id: "second", limits: { tokensPerMinute: 10, maxConcurrency: 1 } };
    const changing = meter.changeModel({ ...asking(10), model });
    meter.close({ isAbandoned: true });

    await expect(changing).rejects.toThrow("ended before it was admitted");
    await new UsageMeter(createKey({}), options).open({ ...asking(10), model });
  });

  test("an operation without a model counts as a request of its key", async () => {
    const options = createOptions();
    const limits = { requestsPerMinute: 1, tokensPerMinute: 10, imagesPerDay: 1, maxConcurrency: 1 };
    const key = createKey({ limits });
    const meter = new UsageMeter(key, options);

    await meter.admitRequest();
    expect(meter.headers()).toMatchObject({
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-remaining-tokens": "10",
      "x-ratelimit-remaining-images": "1",
    });
    meter.close({ isAbandoned: false });

    await expect(new UsageMeter(key, options).admitRequest()).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });

  test("a request that is checked before it is known to cost something reserves nothing until then", async () => {
    const options = createOptions();
    const key = createKey({ budget: { usd: 0.00001, per: "day" } });
    const cached = new UsageMeter(key, options);

    await cached.admit(asking(10));

    const other = new UsageMeter(key, options);
    await other.open(asking(10));
    await expect(cached.reserve()).rejects.toThrow("budget");
    await expect(new UsageMeter(key, options).reserve()).rejects.toThrow("before admit()");
  });

  test("the headers have the limits, and the budget with what the response cost", async () => {
    const key = createKey({ limits: { tokensPerMinute: 100 }, budget: { usd: 0.0001, per: "day" } });
    const leftIn = ({ ...headers }: Readonly<Record<string, string>>) => [
      headers["x-ratelimit-remaining-tokens"],
      headers["x-gateway-budget-remaining"],
    ];
    const meter = new UsageMeter(key, createOptions());
    expect(meter.headers()).toEqual({});

    await meter.open(asking(50));
    // A stream begins before anything is counted: the estimate counts.
    expect(leftIn(meter.headers())).toEqual(["50", "0.00005"]);
    meter.add(used(20, 20_000));
    expect(leftIn(meter.headers())).toEqual(["50", "0.00008"]);
    const image = new UsageMeter(key, createOptions());
    await image.open(asking(50));
    image.add({ ...used(0, 10_000), images: 1 });
    expect(leftIn(image.headers())).toEqual(["50", "0.00009"]);
    expect(new UsageMeter(createKey({}), createOptions()).headers()).toEqual({});
  });

  test("four bytes of a text are estimated as a token", () => {
    expect(["", "a", "abcd", "abcde", "über"].map(estimateTokens)).toEqual([0, 1, 1, 2, 2]);
  });
});
