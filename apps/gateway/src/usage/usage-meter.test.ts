import { encode } from "gpt-tokenizer/encoding/cl100k_base";
import { describe, expect, test } from "vitest";
import type { AccessKey } from "../domain/access-key.js";
import { openBudgets } from "../limits/budgets.js";
import { openLimits } from "../limits/shared-limits.js";
import { estimateInputTokens, UsageMeter, type UsageMeterOptions } from "./usage-meter.js";

describe("tab", () => {
  const model = { id: "m", targets: [{ price: { perMillionTokens: 1 } }] };
  const price = { perMillionTokens: 1 };

  function createKey(key: Partial<AccessKey>): AccessKey {
    return { id: "key_1", name: "one", limits: {}, isDisabled: false, ...key };
  }

  function createNeeds(): UsageMeterOptions {
    return {
      limits: openLimits({ now: () => 0 }),
      budgets: openBudgets({
        now: () => 0,
        spentSince: async () => 0,
        untilShipped: async () => undefined,
        onLedgerAway: () => undefined,
      }),
    };
  }

  test("what was used is told when the tab is closed, with what it cost", async () => {
    const tab = new UsageMeter(createKey({}), createNeeds());
    await tab.open({ model, tokens: 10 });

    tab.addEmbeddings(12, [{ price, tokens: 12 }]);

    expect(tab.close({ isAbandoned: false })).toEqual({
      inputTokens: 12,
      outputTokens: 0,
      images: 0,
      costNanos: 12_000,
    });
  });

  test("a price that is not known makes the whole cost unknown", async () => {
    const tab = new UsageMeter(createKey({}), createNeeds());
    await tab.open({ model, tokens: 10 });

    tab.addEmbeddings(12, [
      { price, tokens: 6 },
      { price: undefined, tokens: 6 },
    ]);

    expect(tab.close({ isAbandoned: false }).costNanos).toBeNull();
  });

  test("tokens that were expected and not used may be used by the next", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const first = new UsageMeter(key, needs);
    await first.open({ model, tokens: 90 });
    first.addEmbeddings(10, [{ price, tokens: 10 }]);
    first.close({ isAbandoned: false });

    await expect(async () => new UsageMeter(key, needs).open({ model, tokens: 91 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await new UsageMeter(key, needs).open({ model, tokens: 90 });
  });

  test("whoever leaves before anything was counted has used what was expected", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { tokensPerMinute: 100 } });
    const gone = new UsageMeter(key, needs);
    await gone.open({ model, tokens: 90 });

    gone.close({ isAbandoned: true });

    await expect(async () => new UsageMeter(key, needs).open({ model, tokens: 20 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
  });

  test("a place among the concurrent ones is free again, also when the caller left while it was being let in", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 1, per: "day" } });
    const gone = new UsageMeter(key, needs);
    const opening = gone.open({ model, tokens: 1 });
    gone.close({ isAbandoned: true });
    await expect(opening).rejects.toThrow("over before it was let in");

    const next = new UsageMeter(key, needs);
    await next.open({ model, tokens: 1 });

    await expect(async () => new UsageMeter(key, needs).open({ model, tokens: 1 })).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    next.close({ isAbandoned: false });
    await new UsageMeter(key, needs).open({ model, tokens: 1 });
  });

  test("a request over the budget gives back its place", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { maxConcurrency: 1 }, budget: { usd: 0.000001, per: "day" } });
    const dear = new UsageMeter(key, needs);

    await expect(dear.open({ model, tokens: 10 })).rejects.toMatchObject({ code: "insufficient_quota" });
    dear.close({ isAbandoned: false });

    await new UsageMeter(key, needs).open({ model, tokens: 1 });
  });

  const image = { id: "p", targets: [{ price: { perImage: 0.25 } }] };
  const order = { model: image, tokens: 1, images: { count: 2 } };

  test("what nobody knows the outcome of has an unknown cost, and what was expected counts", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { imagesPerDay: 3 }, budget: { usd: 0.6, per: "day" } });
    const tab = new UsageMeter(key, needs);
    await tab.open(order);

    tab.markCostUnknown();

    expect(tab.close({ isAbandoned: false })).toMatchObject({ images: 0, costNanos: null });
    const more = { ...order, images: { count: 1 } };
    await expect(async () => new UsageMeter(key, needs).open(order)).rejects.toMatchObject({
      code: "rate_limit_exceeded",
    });
    await expect(async () => new UsageMeter(key, needs).open(more)).rejects.toMatchObject({
      code: "insufficient_quota",
    });
  });

  test("what is free costs nothing, whatever became of it", async () => {
    const free = { id: "f", targets: [{ price: { perImage: 0 } }] };
    const tab = new UsageMeter(createKey({}), createNeeds());
    await tab.open({ ...order, model: free });

    tab.markCostUnknown();

    expect(tab.close({ isAbandoned: true }).costNanos).toBe(0);
  });

  test("who leaves before an image was asked for has used nothing", async () => {
    const needs = createNeeds();
    const key = createKey({ limits: { imagesPerDay: 2 } });
    const gone = new UsageMeter(key, needs);
    await gone.open(order);

    expect(gone.close({ isAbandoned: true }).costNanos).toBe(0);

    await new UsageMeter(key, needs).open(order);
  });
});

describe("estimate tokens", () => {
  test("an input of any shape has an estimate", () => {
    expect(estimateInputTokens("twelve bytes")).toBe(3);
    expect(estimateInputTokens("a")).toBe(1);
    expect(estimateInputTokens(["twelve bytes", "a"])).toBe(4);
    expect(estimateInputTokens([1, 2, 3])).toBe(3);
    expect(estimateInputTokens([[1, 2, 3], [4]])).toBe(4);
  });

  test.each([
    "The gateway checks every request against a published document before it is sent anywhere.",
    "Der Donaudampfschifffahrtskapitän überquerte gemächlich die größte Brücke der Stadt.",
    "昨日は雨が降っていたので、図書館で一日中本を読んでいました。",
    'for (const [index, value] of Object.entries(table)) total += value ?? fallback["x"];',
  ])("the estimate of %s is within a factor of two of the truth", (text) => {
    const truth = encode(text).length;

    const estimate = estimateInputTokens(text);

    expect(estimate / truth).toBeGreaterThan(0.5);
    expect(estimate / truth).toBeLessThan(2);
  });
});
