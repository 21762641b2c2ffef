import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { RateWatch } from "./rate-watch.js";
import { ManualClock } from "./test/clocks.js";

const rate = { bytesPerSecond: 1000, windowMs: 30_000 };

/** A transfer that moves so many bytes in each millisecond of the clock. */
function createTransfer(clock: ManualClock, bytesPerMs: number) {
  const startedAt = clock.now();
  const transfer = {
    isAwaited: true,
    slowAfterMs: undefined as number | undefined,
    get bytes() {
      return (clock.now() - startedAt) * bytesPerMs;
    },
    onSlow: () => {
      transfer.slowAfterMs = clock.now() - startedAt;
    },
  };
  return transfer;
}

test("a transfer below the rate is found within a minute, and one above it goes on", async () => {
  const clock = new ManualClock();
  const watch = new RateWatch(rate, clock);
  const slow = createTransfer(clock, 0.9);
  const fast = createTransfer(clock, 1.1);
  const start = clock.now();

  watch.watch(slow);
  watch.watch(fast);
  await clock.runUntil(() => clock.now() >= start + 600_000);

  expect(slow.slowAfterMs).toBe(30_000);
  expect(fast.slowAfterMs).toBeUndefined();
});

test("time in which the gateway was slow does not count", async () => {
  const clock = new ManualClock();
  const watch = new RateWatch(rate, clock);
  const transfer = { ...createTransfer(clock, 0), isAwaited: false };
  let slowAt = 0;
  const start = clock.now();

  watch.watch({
    bytes: 0,
    get isAwaited() {
      return transfer.isAwaited;
    },
    onSlow: () => {
      slowAt = clock.now();
    },
  });
  await clock.runUntil(() => clock.now() >= start + 600_000);
  await setImmediate();
  expect(slowAt).toBe(0);
  transfer.isAwaited = true;
  const awaitedAt = clock.now();
  await clock.runUntil(() => slowAt > 0);

  expect(slowAt - awaitedAt).toBe(35_000);
});

test("time in which the process was busy does not count", async () => {
  const clock = new ManualClock();
  const busy = {
    now: () => clock.now(),
    wait: async (ms: number, signal: AbortSignal) => {
      await clock.wait(ms, signal);
      clock.advance(60_000);
    },
  };
  const transfer = createTransfer(clock, 0);
  const start = clock.now();

  new RateWatch(rate, busy).watch(transfer);
  await clock.runUntil(() => clock.now() >= start + 1_000_000);

  expect(transfer.slowAfterMs).toBeUndefined();
});

test("nothing is looked at when all transfers have ended", async () => {
  const clock = new ManualClock();
  let looks = 0;
  const counted = {
    now: () => clock.now(),
    wait: (ms: number, signal: AbortSignal) => {
      looks += 1;
      return clock.wait(ms, signal);
    },
  };
  const watch = new RateWatch(rate, counted);

  const end = watch.watch(createTransfer(clock, 0));
  await clock.runUntil(() => looks === 2);
  end();
  const endedAt = clock.now();
  await clock.runUntil(() => clock.now() > endedAt);
  await setImmediate();
  expect(looks).toBe(2);
  watch.watch(createTransfer(clock, 0));

  expect(looks).toBe(3);
});
