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
  const closing = new AbortController();
  const attempts = new StoreAttempts({
    store,
    clock,
    onStored: (rows) => {
      for (const one of rows) one.isSettled = true;
      stored.push(...rows.map(({ row }) => row.id));
    },
    signal: closing.signal,
  });
  return { store, stored, attempts, closing };
}

/** Each call waits until the test lets it reply. */
function holdReplies(store: ScriptedStore): (() => void)[] {
  const replies: (() => void)[] = [];
  store.behave = () => new Promise<void>((resolve) => replies.push(resolve));
  return replies;
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

test("while two calls are overdue a third one waits for either of them, and is then sent", async () => {
  const { attempts, store, stored } = createFixture();
  const replies = holdReplies(store);
  for (const number of [1, 2]) {
    const adding = attempts.add([spooled(number)]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await adding).toBeInstanceOf(Error);
  }

  const third = attempts.add([spooled(3)]);
  await vi.advanceTimersByTimeAsync(1000);
  const sentBefore = replies.length;
  replies[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  replies[2]?.();

  expect(await third).toBeUndefined();
  expect([sentBefore, replies.length]).toEqual([2, 3]);
  expect(stored).toEqual([rowOf(2).id, rowOf(3).id]);
});

test("an overdue call that delivers the rows ends the next call with them, and one that delivers some does not", async () => {
  const { attempts, store, stored } = createFixture();
  const replies = holdReplies(store);
  const [one, two] = [spooled(1), spooled(2)];
  const first = attempts.add([one]);
  await vi.advanceTimersByTimeAsync(15_000);
  await first;
  let ended = "";
  const both = attempts.add([one, two]).then(() => (ended += "both "));
  const again = attempts.add([one]).then(() => (ended += "again "));
  await vi.advanceTimersByTimeAsync(0);

  replies[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  const endedFirst = ended;
  replies[1]?.();
  await both;
  await again;

  expect(endedFirst).toBe("again ");
  expect(stored).toEqual([rowOf(1).id, rowOf(1).id, rowOf(2).id]);
});

test("a ledger that is closed waits for no call, and says so", async () => {
  const { attempts, store, closing } = createFixture();
  holdReplies(store);

  const adding = attempts.add([spooled(1)]);
  closing.abort();

  expect(await adding).toEqual(new Error("The ledger was closed before the store replied."));
});
