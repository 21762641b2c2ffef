import { ManualClock } from "@model-gateway/runtime/test/clocks";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { Retention } from "./retention.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rowsPerStep = 500;

/** A store with this many expired rows, which takes a while for each step. */
function createFixture({ rows = 0, stepMs = 10 } = {}) {
  const clock = new ManualClock();
  const startedAt = clock.now();
  const lines: string[] = [];
  const calls: { readonly at: number; readonly before: number; readonly rowsMax: number }[] = [];
  const store = {
    rows,
    keepMs: (7 * dayMs) as number | undefined,
    releases: 0,
    isTaken: false,
    failure: undefined as Error | undefined,
    /** Resolves when a step may end. */
    step: async () => {},
    deleteOldest: async (before: number, rowsMax: number) => {
      calls.push({ at: clock.now(), before, rowsMax });
      if (store.failure !== undefined) throw store.failure;
      if (store.isTaken) return undefined;
      await store.step();
      clock.advance(stepMs);
      const deleted = Math.min(store.rows, rowsMax);
      store.rows -= deleted;
      return deleted;
    },
    release: async () => {
      store.releases += 1;
    },
  };
  const retention = new Retention({
    store,
    keepMs: () => store.keepMs,
    clock,
    random: () => 0,
    log: pino({ base: null }, { write: (line: string) => void lines.push(line) }),
  });
  onTestFinished(() => retention.close());
  return { clock, startedAt, store, calls, retention, lines };
}

test("a clock that jumps ahead deletes nothing at once, and is believed in the next round", async () => {
  const { clock, store, calls, lines } = createFixture({ rows: 1 });

  clock.advance(400 * dayMs);
  await clock.runUntil(() => lines.length === 1);
  const callsAtOnce = calls.length;
  await clock.runUntil(() => store.releases === 1);

  expect(lines[0]).toContain("The clock has jumped ahead.");
  expect([callsAtOnce, store.rows]).toEqual([0, 0]);
});

test("expired rows are deleted in steps of a bounded number, until none is left", async () => {
  const { clock, store, calls, retention, lines } = createFixture({ rows: 2 * rowsPerStep + 1 });

  await clock.runUntil(() => store.releases === 1);

  expect(calls.map(({ rowsMax }) => rowsMax)).toEqual([rowsPerStep, rowsPerStep, rowsPerStep]);
  expect([store.rows, retention.deleted]).toEqual([0, 2 * rowsPerStep + 1]);
  expect(lines).toEqual([expect.stringContaining(`"rows":${2 * rowsPerStep + 1}`)]);
});

test.each([
  [1, 50],
  [100, 400],
  [60_000, 5000],
])("after a step of %d ms it pauses for %d ms", async (stepMs, pauseMs) => {
  const { clock, store, calls } = createFixture({ rows: rowsPerStep, stepMs });

  await clock.runUntil(() => store.releases === 1);

  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBe(stepMs + pauseMs);
});

test("rows expire by whole hours, and a retention that reaches before 1970 is not a fault", async () => {
  const { clock, store, calls } = createFixture();

  await clock.runUntil(() => store.releases === 1);
  store.keepMs = 1e25;
  await clock.runUntil(() => store.releases === 2);

  const [first, second] = calls;
  const cutoff = (first?.at ?? 0) - 7 * dayMs;
  expect((first?.before ?? 1) % hourMs).toBe(0);
  expect(cutoff - (first?.before ?? 0)).toBeGreaterThanOrEqual(0);
  expect(cutoff - (first?.before ?? 0)).toBeLessThan(hourMs);
  expect(second?.before).toBe(0);
});

test("without a retention nothing is deleted; one that is configured later applies", async () => {
  const { clock, startedAt, store, calls } = createFixture({ rows: 1 });
  store.keepMs = undefined;

  await clock.runUntil(() => clock.now() > startedAt + dayMs);
  expect(calls).toEqual([]);
  store.keepMs = dayMs;
  await clock.runUntil(() => store.releases === 1);

  expect(store.rows).toBe(0);
});

test("while another process deletes, this one waits for its next turn", async () => {
  const { clock, store, calls } = createFixture({ rows: 1 });
  store.isTaken = true;

  await clock.runUntil(() => calls.length === 2);
  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBe(300_000);
  expect([store.rows, store.releases]).toEqual([1, 0]);
  store.isTaken = false;
  await clock.runUntil(() => store.releases === 1);

  expect(store.rows).toBe(0);
});

test("a failure is logged, and the next round goes on with the rows that are left", async () => {
  const { clock, store, calls, lines } = createFixture({ rows: rowsPerStep + 1 });

  await clock.runUntil(() => calls.length === 1);
  store.failure = new Error("unavailable");
  await clock.runUntil(() => calls.length === 3);
  store.failure = undefined;
  await clock.runUntil(() => store.releases === 1);

  expect(store.rows).toBe(0);
  expect(lines.filter((line) => line.includes("could not be deleted"))).toHaveLength(2);
});

test("a stop waits for the step in progress and for no other", async () => {
  const { clock, store, calls, retention } = createFixture({ rows: 100 * rowsPerStep });
  let finishStep = () => {};
  store.step = () =>
    new Promise((resolve) => {
      finishStep = resolve;
    });
  await clock.runUntil(() => calls.length === 1);

  let isClosed = false;
  const closing = retention.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  expect(isClosed).toBe(false);
  finishStep();
  await closing;

  expect([calls.length, store.releases]).toEqual([1, 1]);
});
