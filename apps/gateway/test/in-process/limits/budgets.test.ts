import type { Budget } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import { afterEach, expect, test } from "vitest";
import type { BudgetKey, Reservation } from "../../../src/limits/budgets.js";
import { type BudgetsStage, describeOnEveryStage } from "./budgets-stages.js";

const cents = (count: number) => count * 10_000_000;
const keyWith = (usd: number, per: Budget["per"] = "day"): BudgetKey => ({
  id: "key_1",
  budget: { usd, per },
});

describeOnEveryStage("budgets", (open) => {
  let stage: BudgetsStage | undefined;
  const openStage = async (start?: string) => {
    const opened = await open(start);
    stage = opened;
    const reserve = async (key: BudgetKey, nanos: number | null): Promise<Reservation> =>
      opened.budgets.reserve(key, nanos);
    const spend = async (key: BudgetKey, nanos: number) => (await reserve(key, nanos)).settle(nanos);
    const refusal = async (key: BudgetKey, nanos: number | null) => {
      try {
        await reserve(key, nanos);
      } catch (failure) {
        if (failure instanceof GatewayError) return failure;
        throw failure;
      }
      throw new Error("The request was admitted.");
    };
    return { ...opened, reserve, spend, refusal };
  };
  afterEach(async () => {
    await stage?.close();
    stage = undefined;
  });

  test("a key without a budget passes without reading the ledger", async () => {
    const { budgets, ledger } = await openStage();

    await budgets.reserve({ id: "key_1" }, cents(1000));

    expect(ledger.calls).toEqual([]);
  });

  test("the rest of the budget can be spent, and not more", async () => {
    const { spend, refusal } = await openStage();
    const key = keyWith(1);

    await spend(key, cents(60));
    const { status, code, message, retryAfterMs } = await refusal(key, cents(41));
    await spend(key, cents(40));
    const last = await refusal(key, 1);

    expect({ status, code, message, retryAfterMs }).toEqual({
      status: 429,
      code: "insufficient_quota",
      message:
        "You exceeded the budget of this key: Limit $1.00 a day (UTC), Spent $0.60, Requested about $0.41. It is renewed at 2036-11-16T00:00:00Z.",
      retryAfterMs: undefined,
    });
    expect(last.message).toContain("Spent $1.00, Requested about $0.000000");
  });

  test("money reserved for requests in flight may come free, so the caller may retry", async () => {
    const { reserve, refusal } = await openStage();
    const key = keyWith(1);

    const first = await reserve(key, cents(80));
    const { code, message, retryAfterMs } = await refusal(key, cents(30));
    first.settle(cents(10));
    await reserve(key, cents(90));

    expect({ code, message, retryAfterMs }).toEqual({
      code: "rate_limit_exceeded",
      message:
        "The rest of this key's budget of $1.00 a day (UTC) is reserved for its requests in flight. Please try again in 1s.",
      retryAfterMs: 1000,
    });
  });

  test("spending beyond the estimate counts, even past the budget", async () => {
    const { reserve, refusal } = await openStage();
    const key = keyWith(1);

    (await reserve(key, cents(1))).settle(cents(150));
    const { message } = await refusal(key, cents(1));

    expect(message).toContain("Spent $1.50");
  });

  test("an unknown cost counts as estimated, and only the first settlement counts", async () => {
    const { reserve, refusal } = await openStage();
    const key = keyWith(1);

    const first = await reserve(key, cents(30));
    first.settle(null);
    first.settle(cents(70));
    const { message } = await refusal(key, cents(71));

    expect(message).toContain("Spent $0.30");
  });

  test("requests without a known price pass until the budget is spent", async () => {
    const { reserve, refusal, spend } = await openStage();
    const key = keyWith(1);

    (await reserve(key, null)).settle(null);
    await spend(key, cents(100));
    const { code, message } = await refusal(key, null);

    expect({ code, message }).toEqual({
      code: "insufficient_quota",
      message:
        "You exceeded the budget of this key: Limit $1.00 a day (UTC), Spent $1.00. It is renewed at 2036-11-16T00:00:00Z.",
    });
  });

  test("a free request passes even when the budget is spent", async () => {
    const { budgets, spend } = await openStage();
    const key = keyWith(1);

    await spend(key, cents(100));

    await expect(budgets.reserve(key, 0)).resolves.toBeDefined();
  });

  test("a day is a UTC day", async () => {
    const { spend, refusal, clock } = await openStage("2036-11-15T23:59:00Z");
    const key = keyWith(1);

    await spend(key, cents(100));
    await refusal(key, 1);
    clock.advance(60_000);

    await spend(key, cents(100));
  });

  test("a month is a UTC month, even at the end of the year", async () => {
    const { spend, refusal, clock } = await openStage("2036-12-01T00:00:00Z");
    const key = keyWith(1, "month");

    await spend(key, cents(100));
    clock.advance(31 * 86_400_000 - 1);
    const { message } = await refusal(key, 1);
    clock.advance(1);
    await spend(key, cents(100));

    expect(message).toContain("It is renewed at 2037-01-01T00:00:00Z.");
  });

  test("a request belongs to the day in which it started", async () => {
    const { reserve, refusal, spend, clock } = await openStage("2036-11-15T23:59:00Z");
    const key = keyWith(1);

    const late = await reserve(key, cents(50));
    clock.advance(120_000);
    await spend(key, cents(10));
    late.settle(cents(90));
    await spend(key, cents(85));
    const { message } = await refusal(key, cents(6));

    expect(message).toContain("Spent $0.95");
  });

  test("earlier spending is read from the ledger, once a period, after all rows were shipped", async () => {
    const { reserve, refusal, ledger, clock } = await openStage("2036-11-15T23:00:00Z");
    const key = keyWith(1);
    const at = clock.now() - 60_000;
    ledger.rows.push({ keyId: "key_1", at, nanos: cents(95) }, { keyId: "key_2", at, nanos: cents(95) });

    const { message } = await refusal(key, cents(6));
    await reserve(key, cents(5));
    clock.advance(3_600_000);
    await reserve(key, cents(99));

    expect(message).toContain("Spent $0.95");
    expect(ledger.calls).toEqual([
      "shipped",
      "key_1 since 2036-11-15T00:00:00.000Z",
      "shipped",
      "key_1 since 2036-11-16T00:00:00.000Z",
    ]);
  });

  test("a hundred concurrent first requests read the ledger once, and reserve no more than the budget", async () => {
    const { reserve, ledger } = await openStage();
    const key = keyWith(1);

    const attempts = Array.from({ length: 100 }, () => reserve(key, cents(10)));
    const results = await Promise.allSettled(attempts);

    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(ledger.calls).toEqual(["shipped", "key_1 since 2036-11-15T00:00:00.000Z"]);
  });

  test("an unavailable ledger refuses no request, and its rows count once it is back", async () => {
    const { spend, reserve, refusal, ledger, clock } = await openStage();
    const key = keyWith(1);
    ledger.state = "down";

    await spend(key, cents(30));
    const whileDown = await refusal(key, cents(71));
    ledger.state = "up";
    ledger.rows.push({ keyId: "key_1", at: clock.now(), nanos: cents(65) });
    clock.advance(30_000);
    // The ledger is read in the background of this request.
    (await reserve(key, cents(1))).settle(0);

    expect(whileDown.message).toContain("Spent $0.30");
    expect(ledger.failures).toEqual([new Error("The database is down.")]);
    await expect
      .poll(async () => (await refusal(key, cents(80))).message, { timeout: 90_000 })
      .toContain("Spent $0.65");
  });

  test("a ledger that hangs delays the first request up to its deadline, and no other", async () => {
    const { reserve, ledger } = await openStage();
    const key = keyWith(1);
    ledger.state = "hangs";

    await reserve(key, cents(1));
    await reserve(key, cents(1));

    expect(ledger.calls).toEqual(["shipped", "key_1 since 2036-11-15T00:00:00.000Z"]);
  });

  test("a changed budget takes effect at once", async () => {
    const { spend, refusal } = await openStage();

    await spend(keyWith(1), cents(80));
    await refusal(keyWith(1), cents(30));
    await spend(keyWith(2), cents(30));
    const { message } = await refusal(keyWith(0.5), cents(1));

    expect(message).toContain("Limit $0.50 a day (UTC), Spent $1.10");
  });

  test("a response reports the rest: without the amounts held for other requests, and after its own cost", async () => {
    const { reserve, spend, refusal } = await openStage();
    const key = keyWith(1);

    await spend(key, cents(20));
    const first = await reserve(key, cents(30));
    const second = await reserve(key, cents(10));
    const left = [first.headers(null), first.headers(cents(5)), second.headers(cents(40))];
    first.settle(cents(5));
    const afterwards = first.headers(cents(5));
    const refused = await refusal(key, cents(80));

    expect(left.map((headers) => headers["x-gateway-budget-remaining"])).toEqual(["0.4", "0.65", "0.1"]);
    expect(afterwards).toEqual({
      "x-gateway-budget-remaining": "0.65",
      "x-gateway-budget-reset": "12h0m0s",
    });
    expect(refused.headers).toEqual(afterwards);
  });

  test("the usage of a thousand keys is read with one query per kind of period", async () => {
    const { budgets, spend, ledger, clock } = await openStage();
    const keys = Array.from({ length: 1000 }, (_, index): BudgetKey => {
      const id = `key_${index}`;
      return index % 3 === 0 ? { id } : { id, budget: { usd: 1, per: index % 3 === 1 ? "day" : "month" } };
    });
    ledger.rows.push({ keyId: "key_5", at: clock.now() - 3 * 86_400_000, nanos: cents(70) });
    ledger.rows.push({ keyId: "key_7", at: clock.now() - 3 * 86_400_000, nanos: cents(70) });
    ledger.rows.push({ keyId: "key_8", at: clock.now(), nanos: cents(250) });
    await spend({ id: "key_4", budget: { usd: 1, per: "day" } }, cents(40));
    ledger.calls.length = 0;

    const usage = await budgets.usage(keys);

    expect(ledger.calls.sort()).toEqual([
      "333 keys since 2036-11-01T00:00:00.000Z",
      "333 keys since 2036-11-15T00:00:00.000Z",
    ]);
    expect(usage.size).toBe(666);
    const [tomorrow, december] = [Date.UTC(2036, 10, 16), Date.UTC(2036, 11, 1)];
    // key_4 is not in the ledger yet, key_7 spent before its day, and key_8 more than its budget.
    expect(["key_3", "key_4", "key_5", "key_7", "key_8"].map((id) => usage.get(id))).toEqual([
      undefined,
      { spentNanos: cents(40), remainingNanos: cents(60), resetsAt: tomorrow },
      { spentNanos: cents(70), remainingNanos: cents(30), resetsAt: december },
      { spentNanos: 0, remainingNanos: cents(100), resetsAt: tomorrow },
      { spentNanos: cents(250), remainingNanos: 0, resetsAt: december },
    ]);
  });
});
