import { bucketOf, noDurations } from "@model-gateway/domain/duration-histogram";
import pino from "pino";
import { beforeAll, expect, test } from "vitest";
import { DatabaseLedgerStore } from "../../../src/storage/ledger/ledger-store.js";
import { listStatement } from "../../../src/storage/ledger/list-rows.js";
import { createRetentionStore, deleteStatement } from "../../../src/storage/ledger/retention-store.js";
import { usageStatement } from "../../../src/storage/ledger/sum-usage.js";
import type { LedgerFilter, OwnerFilter, UsageGrouping } from "../../../src/usage/ledger/ledger-store.js";
import { Retention } from "../../../src/usage/ledger/retention.js";
import { rowOf } from "../../../src/usage/test/ledger-rows.js";
import { describeDatabases } from "../../servers/describe-databases.js";
import { explain } from "./explain.js";
import { addMillionRows, durationCounts, everyMs, firstAt, ownerOf, rowsCount } from "./million-rows.js";

const dayMs = 24 * 3_600_000;
const middle = firstAt + 15 * dayMs;
const team: OwnerFilter = { name: ownerOf(7), fileKeyIds: ["config:a"] };
const cursor = Buffer.from(JSON.stringify([middle, "00500000"])).toString("base64url");

describeDatabases(
  "a million rows",
  ({ database, open }) => {
    beforeAll(async () => addMillionRows(await open()));

    const filters: [LedgerFilter, string][] = [
      [{}, "ledger_rows_by_time"],
      [{ from: middle }, "ledger_rows_by_time"],
      [{ from: middle, to: middle + dayMs }, "ledger_rows_by_time"],
      [{ keyId: "key_7" }, "ledger_rows_by_key_id"],
      [{ model: "rare" }, "ledger_rows_by_model"],
      [{ operation: "createImage" }, "ledger_rows_by_operation"],
      [{ status: 500 }, "ledger_rows_by_status"],
      [{ errorCode: "upstream_error" }, "ledger_rows_by_error_code"],
      [{ upstream: "rare" }, "ledger_rows_by_upstream"],
      [{ failed: true }, "ledger_rows_by_failure"],
      [{ failed: false }, "ledger_rows_by_time"],
      [{ isInternal: false }, "ledger_rows_by_time"],
      [{ isInternal: false, failed: true }, "ledger_rows_by_failure"],
      [{ cache: "hit" }, "ledger_rows_by_cache"],
      [{ minMs: 50 }, "ledger_rows_by_time"],
      [{ minMs: 300 }, "ledger_rows_by_duration_100"],
      [{ minMs: 1000 }, "ledger_rows_by_duration_1000"],
      [{ minMs: 60_000 }, "ledger_rows_by_duration_10000"],
      [{ keyId: "key_7", from: middle, to: middle + dayMs }, "ledger_rows_by_key_id"],
      [{ keyId: "key_7", failed: true }, "ledger_rows_by_key_failure"],
      [{ jobId: "job_7" }, "ledger_rows_by_job"],
      [{ recovered: true }, "ledger_rows_by_recovery"],
      [{ recovered: true, from: middle }, "ledger_rows_by_recovery"],
      [{ recovered: false }, "ledger_rows_by_time"],
      [{ recoveredFrom: "shaky" }, "ledger_rows_by_recovered_from"],
      [{ recoveredFrom: "shaky", from: middle }, "ledger_rows_by_recovered_from"],
    ];
    test.each(filters)("listing %j follows an index, newest first", async (filter, index) => {
      const pages = [{ limit: 100 }, { limit: 100, cursor }];

      const plans = await Promise.all(
        pages.map((page) => explain(database(), listStatement(database(), filter, page).compile())),
      );

      expect(plans).toEqual(pages.map(() => ({ scanned: [], indexes: [index], sorts: false })));
    });

    test.each<[LedgerFilter, string]>([
      [{ owner: team }, "ledger_rows_by_key_id"],
      [{ owner: team, from: middle }, "ledger_rows_by_key_id"],
      [{ owner: team, failed: true }, "ledger_rows_by_key_failure"],
      [{ isInternal: true }, "ledger_rows_by_key_id"],
      [{ isInternal: true, failed: true }, "ledger_rows_by_key_failure"],
    ])("listing %j reads the newest rows of each key", async (filter, index) => {
      const statement = listStatement(database(), filter, { limit: 100, cursor });
      const { scanned, indexes } = await explain(database(), statement.compile());

      expect(scanned).not.toContain("ledger_rows");
      expect(indexes).toContain(index);
    });

    const groupings: [UsageGrouping[], LedgerFilter][] = [
      [[], {}],
      [["key"], {}],
      [["model"], {}],
      [["day"], {}],
      [["hour"], {}],
      [["key", "model", "day"], { from: middle, to: middle + 7 * dayMs }],
      [["hour", "key"], { keyId: "key_7", from: middle }],
      [["day"], { operation: "createImage" }],
      [["operation", "owner", "upstream"], {}],
      [["hour"], { upstream: "rare", from: middle }],
      [["owner"], { from: firstAt, to: firstAt + 31 * dayMs }],
      [["owner", "month"], {}],
      [["key"], { owner: team, from: firstAt, to: firstAt + 31 * dayMs }],
      [["model", "day"], { owner: team, from: firstAt }],
      [["owner", "hour"], { owner: team, from: middle }],
      [["model", "hour"], { isInternal: true, from: middle }],
    ];
    test.each(groupings)("usage by %j of %j reads only rollups", async (groupBy, filter) => {
      const { scanned, indexes } = await explain(
        database(),
        usageStatement(database(), { groupBy, filter }).compile(),
      );

      expect([...scanned, ...indexes].filter((name) => name.startsWith("ledger_rows"))).toEqual([]);
    });

    test("a time range that ends within an hour reads rows by time for that hour only", async () => {
      const filter = { from: middle + 1, to: middle + 7 * dayMs + 1 };
      const statement = usageStatement(database(), { groupBy: ["key", "day"], filter });
      const { scanned, indexes } = await explain(database(), statement.compile());

      expect(scanned).not.toContain("ledger_rows");
      expect(new Set(indexes.filter((name) => name.startsWith("ledger_rows")))).toEqual(
        new Set(["ledger_rows_by_time"]),
      );
    });

    test.each([
      [{ status: 500 }, "ledger_rows_by_status"],
      [{ errorCode: "upstream_error" }, "ledger_rows_by_error_code"],
    ])("usage of %j, which no rollup contains, reads only the matching rows", async (filter, index) => {
      const statement = usageStatement(database(), { groupBy: ["day"], filter });
      const { scanned, indexes } = await explain(database(), statement.compile());

      expect(scanned).not.toContain("ledger_rows");
      expect(indexes).toContain(index);
    });

    test("the results are correct", async () => {
      const store = new DatabaseLedgerStore(database());
      const sums = { outputTokens: 0, images: 0, unpriced: 0 };
      const durations = [...noDurations];
      for (const [ms, requests] of durationCounts) durations[bucketOf(ms)] = requests;
      const perDay = dayMs / everyMs;

      const [all] = await store.usage({ groupBy: [], filter: {} });
      const [day] = await store.usage({ groupBy: ["day"], filter: { from: middle, to: middle + dayMs } });
      const failed = await store.usage({ groupBy: ["model"], filter: { status: 500, to: firstAt + dayMs } });
      const spent = await store.spentSince("key_7", middle);
      const ofTeam = await store.usage({ groupBy: ["key"], filter: { owner: team, from: middle } });
      const { items } = await store.list({ owner: team }, { limit: 5 });

      expect(all).toEqual({
        ...sums,
        requests: rowsCount,
        failures: rowsCount / 1000 + rowsCount / 50,
        inputTokens: 10 * rowsCount,
        costNanos: 100 * rowsCount,
        cachedInputs: (2 * rowsCount) / 1000,
        savedNanos: (20 * rowsCount) / 1000,
        durations,
      });
      expect(day).toMatchObject({ startsAt: middle, requests: perDay, inputTokens: 10 * perDay });
      expect(failed).toMatchObject([{ model: "model-0", requests: 35, failures: 35 }]);
      expect(spent).toBe(((rowsCount - 15 * perDay) / 50) * 100);
      expect(ofTeam.map(({ keyId }) => keyId)).toEqual(["key_17", "key_27", "key_37", "key_47", "key_7"]);
      expect(ofTeam.map(({ costNanos }) => costNanos)).toEqual(Array(5).fill(spent));
      // The last rows of all keys are one after the other.
      expect(new Set(items.map(({ keyId }) => keyId))).toEqual(new Set(ofTeam.map(({ keyId }) => keyId)));
    });

    test("a batch that is added twice counts once", async () => {
      const store = new DatabaseLedgerStore(database());
      const { items } = await store.list({}, { limit: 1000 });

      await store.add(items);

      expect(await store.usage({ groupBy: [], filter: {} })).toMatchObject([{ requests: rowsCount }]);
    });

    test("old rows are found and deleted by indexes", async () => {
      // On a separate connection: SQLite leaves an explained write open, and no transaction could commit beside it.
      const explained = await open();

      const statement = deleteStatement(explained.kysely, middle, 500);
      const { scanned, indexes } = await explain(explained, statement.compile());

      expect(scanned).toEqual([]);
      expect(indexes).toContain("ledger_rows_by_time");
      expect(indexes).toHaveLength(2);
    });

    test("two days of rows are deleted in small steps, while others read and write", async () => {
      const [store, retentionStore] = [
        new DatabaseLedgerStore(database()),
        createRetentionStore(database(), { now: Date.now }),
      ];
      const keptFrom = firstAt + 2 * dayMs;
      const steps: number[] = [];
      let isReleased = false;
      const retention = new Retention({
        store: {
          deleteOldest: async (before, rowsMax) => {
            const deleted = (await retentionStore.deleteOldest(before, rowsMax)) ?? 0;
            steps.push(deleted);
            return deleted;
          },
          release: async () => {
            await retentionStore.release();
            isReleased = true;
          },
        },
        keepMs: () => dayMs,
        // No pauses: the worst that a step can do to others.
        clock: { now: () => keptFrom + dayMs, wait: () => new Promise(setImmediate) },
        random: () => 0,
        log: pino({ level: "silent" }),
      });

      const stepsAtWrite: number[] = [];
      for (let number = 0; !isReleased; number += 1) {
        await store.add([rowOf(number, { at: keptFrom + number })]);
        await store.list({ keyId: "key_7" }, { limit: 10 });
        stepsAtWrite.push(steps.length);
      }
      await retention.close();

      const expired = (2 * dayMs) / everyMs;
      expect(steps.slice(0, expired / 500 + 1)).toEqual([
        ...Array(Math.floor(expired / 500)).fill(500),
        expired % 500,
      ]);
      // One long lock would have let all of them wait for the end.
      expect(new Set(stepsAtWrite).size).toBeGreaterThan(20);
      const [usage] = await store.usage({ groupBy: [], filter: {} });
      expect(usage).toMatchObject({ requests: rowsCount + stepsAtWrite.length });
      const { items } = await store.list({ to: keptFrom }, { limit: 1 });
      expect(items).toEqual([]);
    });
  },
  { isKept: true },
);
