import { EpochClock } from "@model-gateway/runtime/test/clocks";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { rowOf } from "../../usage/test/ledger-rows.js";
import { DatabaseLedgerStore } from "./ledger-store.js";
import { createRetentionStore } from "./retention-store.js";

const hourMs = 3_600_000;
const day = Date.UTC(2026, 7, 19);
/** One row every ten minutes, for four hours. */
const rows = Array.from({ length: 24 }, (_, number) => rowOf(number, { at: day + number * 600_000 }));
const idsOf = (from: number, to = rows.length) =>
  rows
    .slice(from, to)
    .map(({ id }) => id)
    .reverse();

describeDatabaseOfTier("retention", ({ database, open }) => {
  const now = () => day + 100 * hourMs;
  const createStores = () => ({
    ledger: new DatabaseLedgerStore(database()),
    retention: createRetentionStore(database(), { now }),
  });

  test("the oldest rows are deleted first, no more than asked for, and none from the time or after", async () => {
    const { ledger, retention } = createStores();
    await ledger.add(rows);
    const before = day + 2 * hourMs;

    const deleted = [];
    for (let step = 0; step < 4; step += 1) deleted.push(await retention.deleteOldest(before, 5));

    expect(deleted).toEqual([5, 5, 2, 0]);
    const { items } = await ledger.list({}, { limit: 100 });
    expect(items.map(({ id }) => id)).toEqual(idsOf(12));
  });

  test("usage and spending stay exact, even when late rows of a deleted time come in", async () => {
    const { ledger, retention } = createStores();
    await ledger.add(rows);
    const read = () =>
      Promise.all([
        ledger.usage({ groupBy: ["hour"], filter: {} }),
        ledger.usage({ groupBy: ["key", "model", "day"], filter: { from: day, to: day + 3 * hourMs } }),
        ledger.spentSince("key_1", day),
      ]);
    const before = await read();

    await retention.deleteOldest(day + 2 * hourMs, 100);
    const after = await read();
    await ledger.add([rowOf(900, { at: day + 1 })]);

    expect(after).toEqual(before);
    expect(await ledger.usage({ groupBy: [], filter: { to: day + hourMs } })).toMatchObject([
      { requests: 7 },
    ]);
  });

  test("a part of an hour whose rows are deleted is refused by name, and never summed too low", async () => {
    const { ledger, retention } = createStores();
    await ledger.add(rows);
    const usage = (filter: object) => ledger.usage({ groupBy: [], filter });
    const inside = { from: day + hourMs + 1, to: day + 3 * hourMs };
    expect(await usage(inside)).toMatchObject([{ requests: 11 }]);

    await retention.deleteOldest(day + 2 * hourMs, 1);

    await expect(usage(inside)).rejects.toMatchObject({
      code: "invalid_value",
      param: "from",
      message: expect.stringContaining("before 2026-08-19T02:00:00.000Z are deleted"),
    });
    await expect(usage({ to: day + 1 })).rejects.toMatchObject({ param: "to" });
    await expect(usage({ status: 200 })).rejects.toMatchObject({ code: "invalid_value" });
    expect(await usage({ from: day + hourMs, to: day + 3 * hourMs })).toMatchObject([{ requests: 12 }]);
    expect(await usage({ from: day + 2 * hourMs + 1 })).toMatchObject([{ requests: 11 }]);
  });

  test("deleted ranges stay known, even to other processes and after a longer retention", async () => {
    const { ledger, retention } = createStores();
    await ledger.add(rows);
    await retention.deleteOldest(day + 2 * hourMs, 1);
    await retention.release();
    const other = await open();

    await createRetentionStore(other, { now }).deleteOldest(day, 1);

    const usage = new DatabaseLedgerStore(other).usage({ groupBy: [], filter: { from: day + hourMs + 1 } });
    await expect(usage).rejects.toMatchObject({ param: "from" });
  });

  test("a list goes on after the row of its cursor was deleted", async () => {
    const { ledger, retention } = createStores();
    await ledger.add(rows);
    const first = await ledger.list({}, { limit: 20 });
    const cursor = first.nextCursor ?? "";

    await retention.deleteOldest(day + hourMs, 5);
    const second = await ledger.list({}, { limit: 20, cursor });
    await retention.deleteOldest(day + 4 * hourMs, 100);
    const third = await ledger.list({}, { limit: 20, cursor });

    expect(first.items.map(({ id }) => id)).toEqual(idsOf(4));
    // Rows 0 to 4 are deleted, and the cursor is at row 4.
    expect(second).toEqual({ items: [] });
    expect(third).toEqual({ items: [] });
  });

  test("one process deletes at a time, until it has finished or is gone", async () => {
    const clock = new EpochClock("2026-08-25T00:00:00Z");
    const other = await open();
    const [one, two] = [database(), other].map((each) => createRetentionStore(each, { now: clock.now }));
    await new DatabaseLedgerStore(database()).add(rows);
    const before = day + 4 * hourMs;

    expect(await one?.deleteOldest(before, 1)).toBe(1);
    expect(await two?.deleteOldest(before, 1)).toBeUndefined();
    clock.advance(50_000);
    // Each step renews the lease.
    expect(await one?.deleteOldest(before, 1)).toBe(1);
    clock.advance(50_000);
    expect(await two?.deleteOldest(before, 1)).toBeUndefined();
    // The holder died: its lease ends by itself.
    clock.advance(10_001);
    expect(await two?.deleteOldest(before, 1)).toBe(1);
    expect(await one?.deleteOldest(before, 1)).toBeUndefined();
    // Only the holder can release it.
    await one?.release();
    expect(await one?.deleteOldest(before, 1)).toBeUndefined();
    await two?.release();

    expect(await one?.deleteOldest(before, 1)).toBe(1);
  });

  test("of many processes that begin at once, one deletes", async () => {
    await new DatabaseLedgerStore(database()).add(rows);
    const others = await Promise.all(Array.from({ length: 4 }, () => open()));
    const stores = others.map((each) => createRetentionStore(each, { now }));

    const results = await Promise.all(stores.map((store) => store.deleteOldest(day + 4 * hourMs, 3)));

    expect(results.filter((deleted) => deleted !== undefined)).toEqual([3]);
  });
});
