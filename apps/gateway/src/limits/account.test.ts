import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Account, budgetPeriod } from "./account.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noon = Date.parse("2036-11-15T12:00:00Z");

function createAccount(readLedger: () => Promise<number>) {
  const failures: unknown[] = [];
  const account = new Account({
    keyId: "key_1",
    period: budgetPeriod("day", noon),
    readLedger,
    waitMs: 1000,
    retryMs: 30_000,
    onFailure: (failure) => failures.push(failure),
  });
  return { account, failures };
}

test("the deadline of the first request is cleared when the ledger replies", async () => {
  const { account } = createAccount(async () => 70);

  await account.open(noon);

  expect(account).toMatchObject({ spentNanos: 70, isSeeded: true });
  expect(vi.getTimerCount()).toBe(0);
});

test("the deadline of the first request is cleared when the ledger fails", async () => {
  const { account, failures } = createAccount(() => Promise.reject(new Error("unavailable")));

  await account.open(noon);

  expect(failures).toEqual([new Error("unavailable")]);
  expect(account.isSeeded).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});

test("the first request waits until its deadline for a ledger that hangs, and leaves no timer", async () => {
  const { account } = createAccount(() => new Promise(() => undefined));
  let isOpen = false;
  void account.open(noon)?.then(() => {
    isOpen = true;
  });

  await vi.advanceTimersByTimeAsync(999);
  const before = isOpen;
  await vi.advanceTimersByTimeAsync(1);
  // The timeout checks twice for data that arrived meanwhile.
  await vi.runAllTimersAsync();

  expect([before, isOpen]).toEqual([false, true]);
  expect(vi.getTimerCount()).toBe(0);
});
