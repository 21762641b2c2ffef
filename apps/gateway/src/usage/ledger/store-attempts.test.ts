import type { Clock } from "@model-gateway/runtime/clock";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { rowOf } from "../test/ledger-rows.js";
import { refuseConnection, ScriptedStore } from "../test/scripted-store.js";
import type { SpooledRow } from "./spool-reader.js";
import { StoreAttempts } from "./store-attempts.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** On the global timers, which are faked here. */
const clock: Clock = {
  now: Date.now,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    }),
};

function createFixture() {
  const store = new ScriptedStore();
  const stored: string[] = [];
  const attempts = new StoreAttempts({
    store,
    clock,
    onStored: (rows) => stored.push(...rows.map(({ row }) => row.id)),
    signal: new AbortController().signal,
  });
  return { store, stored, attempts };
}

const spooled = (number: number): SpooledRow => {
  const segment = { folder: "", path: "", bytes: 0, rows: 1, since: 0 };
  const lines = (async function* () {})();
  const file = { segment, lines, linesRead: 1, corrupt: 0, unsettled: 1, state: "read" as const };
  return { row: rowOf(number), file, isSettled: false };
};

test("the timeout of a call is cleared when the store accepts the rows", async () => {
  const { attempts, stored } = createFixture();

  const failure = await attempts.add([spooled(1)]);

  expect(failure).toBeUndefined();
  expect(stored).toEqual([rowOf(1).id]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the timeout of a call is cleared when the store fails", async () => {
  const { attempts, store, stored } = createFixture();
  store.behave = refuseConnection;

  const failure = await attempts.add([spooled(1)]);

  expect(failure).toMatchObject({ code: "ECONNREFUSED" });
  expect(stored).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a call that exceeds its timeout fails, leaves no timer, and counts when it arrives", async () => {
  const { attempts, store, stored } = createFixture();
  let reply = () => {};
  store.behave = () =>
    new Promise<void>((resolve) => {
      reply = resolve;
    });

  const adding = attempts.add([spooled(1)]);
  await vi.advanceTimersByTimeAsync(15_000);
  const failure = await adding;
  const storedInTime = [...stored];
  reply();
  await vi.advanceTimersByTimeAsync(0);

  expect(failure).toEqual(new Error("The store did not reply within 15000 ms."));
  expect(storedInTime).toEqual([]);
  expect(stored).toEqual([rowOf(1).id]);
  expect(vi.getTimerCount()).toBe(0);
});
