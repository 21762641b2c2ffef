import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SecretFilter } from "@model-gateway/config/secrets/secret-filter";
import { ManualClock } from "@model-gateway/runtime/test/clocks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../telemetry/log.js";
import { rowOf, rowsOf } from "../test/ledger-rows.js";
import { refuseConnection, ScriptedStore } from "../test/scripted-store.js";
import { gatherRows, type Ledger, type LedgerOptions, openLedger } from "./ledger.js";
import { readLine, writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";

describe("ledger", () => {
  let root: string;
  let folder: string;
  let store: ScriptedStore;
  let clock: ManualClock;
  let logged: { level: string; msg: string }[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "ledger-"));
    folder = join(root, "1");
    store = new ScriptedStore();
    clock = new ManualClock();
    logged = [];
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function open(changes: Partial<LedgerOptions> = {}): Promise<Ledger> {
    const log = createLog(
      "info",
      { write: (line) => void logged.push(JSON.parse(line)) },
      new SecretFilter(),
    );
    return openLedger({ folder, store, log, bytesMax: 1e6, clock, random: () => 1, ...changes });
  }

  /** Simulates a kill: the memory is lost, and nothing more is shipped. */
  function crash(): void {
    store.behave = () => new Promise(() => undefined);
    store = new ScriptedStore();
    clock = new ManualClock();
  }

  /** Closes the ledger while the clock advances. */
  async function close(ledger: Ledger): Promise<void> {
    let isClosed = false;
    void ledger.close().then(() => {
      isClosed = true;
    });
    await clock.runUntil(() => isClosed);
  }

  const files = (of = folder) => readdirSync(of).sort();
  const messages = () => logged.map(({ msg }) => msg);

  test("a request that a crash cut off gets the row that it began with, once", async () => {
    const begun = rowOf(1, { status: 500, costNanos: null, estimatedNanos: 70 });
    const ledger = await open();
    ledger.begin(begun);
    ledger.begin(rowOf(2));
    ledger.record(rowOf(2, { status: 404 }));
    crash();

    const again = await open();

    expect(again.abandoned).toEqual([begun]);
    await clock.runUntil(() => store.rows.length === 2);
    expect(store.rows).toEqual([rowOf(2, { status: 404 }), begun]);
    expect(again.abandoned).toEqual([]);
    expect(messages()).toEqual([expect.stringContaining("ended before these requests did")]);
    crash();
    expect((await open()).abandoned).toEqual([]);
  });

  test("a job that a crash cut off gets the row of its next run", async () => {
    (await open()).begin(rowOf(1, { jobId: "job_1", costNanos: null }));
    crash();
    const ledger = await open();

    ledger.record(rowOf(1, { jobId: "job_1", status: 409 }));
    await clock.runUntil(() => store.rows.length === 1);

    expect(store.rows).toEqual([rowOf(1, { jobId: "job_1", status: 409 })]);
    await clock.advance(2 * 3_600_000);
    expect(ledger.abandoned).toEqual([]);
    expect(store.calls).toEqual([1]);
  });

  test("a job that does not run again has its row after an hour", async () => {
    const begun = rowOf(1, { jobId: "job_1", costNanos: null });
    (await open()).begin(begun);
    crash();
    const ledger = await open();

    await clock.advance(3_599_000);
    expect(ledger.abandoned).toEqual([begun]);
    expect(store.rows).toEqual([]);
    await clock.advance(1000);
    await clock.runUntil(() => store.rows.length === 1);

    expect(store.rows).toEqual([begun]);
  });

  test("rows arrive in the store unchanged and in order, and are removed from the disk", async () => {
    const ledger = await open();

    for (const row of rowsOf(1, 1200)) ledger.record(row);
    await clock.runUntil(() => store.rows.length === 1200);

    expect(store.rows).toEqual(rowsOf(1, 1200));
    expect(store.calls).toEqual([500, 500, 200]);
    expect(files()).toEqual([]);
    await ledger.close();
  });

  test("a row is on disk when record returns, and is shipped later", async () => {
    const ledger = await open();

    ledger.record(rowOf(1));

    expect(readFileSync(join(folder, "0000000001.rows"), "utf8")).toBe(writeLine(rowOf(1)));
    expect(ledger.snapshot()).toEqual({
      rows: 1,
      bytes: writeLine(rowOf(1)).length,
      heldRows: 0,
      oldestAgeMs: 0,
      shipped: 0,
      dropped: 0,
      corrupt: 0,
      rejected: 0,
      lastFailure: null,
    });
    await ledger.close();
  });

  test("rows left by a crashed process are shipped by the next one, before its own", async () => {
    const first = await open();
    for (const row of rowsOf(1, 3)) first.record(row);
    crash();

    const second = await open();
    second.record(rowOf(4));
    await clock.runUntil(() => store.rows.length === 4);

    expect(store.rows).toEqual(rowsOf(1, 4));
    expect(files()).toEqual([]);
    await second.close();
  });

  test("rows shipped just before a crash are stored once", async () => {
    const first = await open();
    for (const row of rowsOf(1, 3)) first.record(row);
    const { kept } = store;
    crash();
    for (const row of rowsOf(1, 2)) store.kept.set(row.id, row);
    expect(kept.size).toBe(0);

    const second = await open();
    await clock.runUntil(() => store.rows.length === 3);

    expect(store.rows).toEqual(rowsOf(1, 3));
    await second.close();
  });

  test("a torn last line is skipped and counted", async () => {
    const first = await open();
    for (const row of rowsOf(1, 2)) first.record(row);
    crash();
    appendFileSync(join(folder, "0000000001.rows"), writeLine(rowOf(3)).slice(0, 60));

    const second = await open();
    await clock.runUntil(() => second.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(1, 2));
    expect(second.snapshot()).toMatchObject({ rows: 0, bytes: 0, corrupt: 1, oldestAgeMs: null });
    expect(files()).toEqual([]);
    await second.close();
  });

  test("a complete row without its line break is shipped", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "0000000007.rows"), writeLine(rowOf(1)).trimEnd());

    const ledger = await open();
    await clock.runUntil(() => store.rows.length === 1);

    expect(ledger.snapshot().corrupt).toBe(0);
    await ledger.close();
  });

  test("damage costs only the damaged lines, and is logged once per file", async () => {
    mkdirSync(folder);
    const content = [
      writeLine(rowOf(1)),
      "\0".repeat(200_000),
      "\n",
      '{"not":"ours"}\n',
      writeLine(rowOf(2)),
    ];
    writeFileSync(join(folder, "0000000007.rows"), content.join(""));

    const ledger = await open();
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(1, 2));
    expect(ledger.snapshot().corrupt).toBe(2);
    expect(messages()).toEqual(["Skipped ledger lines that were torn or damaged."]);
    await ledger.close();
  });

  test("an unreadable file is left in place and blocks nothing", async () => {
    mkdirSync(join(folder, "0000000001.rows"), { recursive: true });

    const ledger = await open();
    ledger.record(rowOf(1));
    await clock.runUntil(() => store.rows.length === 1);

    expect(files()).toEqual(["0000000001.rows"]);
    expect(messages()).toEqual(["A ledger file cannot be read and is left in place."]);
    await ledger.close();
  });

  test("an outage of minutes delays rows, loses none, and is logged once", async () => {
    store.behave = refuseConnection;
    const ledger = await open();
    const startedAt = clock.now();

    for (const row of rowsOf(1, 700)) ledger.record(row);
    await clock.runUntil(() => clock.now() - startedAt > 5 * 60_000);
    expect(ledger.snapshot()).toMatchObject({
      rows: 700,
      shipped: 0,
      rejected: 0,
      oldestAgeMs: clock.now() - rowOf(1).at,
      lastFailure: "ECONNREFUSED",
    });
    // Ten seconds is the longest wait between two attempts.
    expect(store.calls.length).toBeLessThan(50);
    store.behave = () => undefined;
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows.sort((a, b) => a.at - b.at)).toEqual(rowsOf(1, 700));
    expect(ledger.snapshot()).toMatchObject({ rows: 0, bytes: 0, shipped: 700, dropped: 0, rejected: 0 });
    expect(messages()).toEqual([
      "Ledger rows cannot be shipped; they wait on disk.",
      "Ledger rows are shipped again.",
    ]);
    await ledger.close();
  });

  test("a store that hangs is called again, with at most two calls in flight", async () => {
    const replies: (() => void)[] = [];
    store.behave = () => new Promise<void>((resolve) => replies.push(resolve));
    const ledger = await open();
    const startedAt = clock.now();

    ledger.record(rowOf(1));
    await clock.runUntil(() => clock.now() - startedAt > 5 * 60_000);
    expect(replies).toHaveLength(2);
    store.behave = () => undefined;
    replies[0]?.();
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual([rowOf(1)]);
    expect(ledger.snapshot().shipped).toBe(1);
    replies[1]?.();
    await ledger.close();
  });

  test("a store that is slower than the timeout still makes progress", async () => {
    store.behave = () => clock.wait(20_000, new AbortController().signal);
    const ledger = await open();

    for (const row of rowsOf(1, 1500)) ledger.record(row);
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(1, 1500));
    expect(ledger.snapshot()).toMatchObject({ shipped: 1500, rejected: 0 });
    await close(ledger);
  });

  test("a row that the store rejects is set aside, and all others are shipped", async () => {
    const poison = new Set([rowOf(123).id, rowOf(124).id, rowOf(480).id]);
    store.behave = (rows) => {
      if (rows.some(({ id }) => poison.has(id))) throw new Error("value out of range");
    };
    const ledger = await open();

    for (const row of rowsOf(1, 600)) ledger.record(row);
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows.map(({ id }) => id)).toEqual(
      rowsOf(1, 600).flatMap(({ id }) => (poison.has(id) ? [] : [id])),
    );
    expect(ledger.snapshot()).toMatchObject({ rows: 0, shipped: 597, rejected: 3, dropped: 0 });
    expect(files()).toEqual(["rejected"]);
    const lines = readFileSync(join(folder, "rejected"), "utf8").trimEnd().split("\n");
    expect(lines.map(readLine)).toEqual([rowOf(123), rowOf(124), rowOf(480)]);
    await ledger.close();
  });

  test("rejected rows are shipped after their file is renamed back", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "rejected"), rowsOf(1, 3).map(writeLine).join(""));
    renameSync(join(folder, "rejected"), join(folder, "0000000000.rows"));

    const ledger = await open();
    await clock.runUntil(() => store.rows.length === 3);

    expect(store.rows).toEqual(rowsOf(1, 3));
    await ledger.close();
  });

  test("a rejected row that is alone waits for another row, and does not block it", async () => {
    store.behave = (rows) => {
      if (rows.some(({ id }) => id === rowOf(1).id)) throw new Error("value out of range");
    };
    const ledger = await open();

    ledger.record(rowOf(1));
    await clock.runUntil(() => store.calls.length > 30);
    expect(ledger.snapshot()).toMatchObject({ rows: 1, rejected: 0, lastFailure: "Error" });
    ledger.record(rowOf(2));
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual([rowOf(2)]);
    expect(ledger.snapshot()).toMatchObject({ shipped: 1, rejected: 1 });
    await ledger.close();
  });

  test("no row is set aside while a store recovers unsteadily", async () => {
    store.behave = refuseConnection;
    const ledger = await open();
    for (const row of rowsOf(1, 20)) ledger.record(row);
    await clock.runUntil(() => store.calls.length > 30);

    store.behave = () => {
      if (store.calls.length % 2 === 0) refuseConnection();
    };
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows.sort((a, b) => a.at - b.at)).toEqual(rowsOf(1, 20));
    expect(ledger.snapshot().rejected).toBe(0);
    await ledger.close();
  });

  test("no more rows are set aside than others were accepted", async () => {
    let room = 0;
    store.behave = (rows) => {
      const added = rows.filter(({ id }) => !store.kept.has(id)).length;
      if (added > room) throw new Error("No space left on device.");
      room -= added;
    };
    const ledger = await open();
    for (const row of rowsOf(1, 20)) ledger.record(row);
    await clock.runUntil(() => store.calls.length > 30);

    room = 1;
    await clock.runUntil(() => store.rows.length === 1);
    const callsBefore = store.calls.length;
    await clock.runUntil(() => store.calls.length > callsBefore + 30);

    expect(ledger.snapshot()).toMatchObject({ shipped: 1, rejected: 1, rows: 18 });
    room = 1000;
    await clock.runUntil(() => ledger.snapshot().rows === 0);
    expect(ledger.snapshot()).toMatchObject({ shipped: 19, rejected: 1 });
    await ledger.close();
  });

  test("rejected rows beyond the size limit are counted, and block nothing", async () => {
    store.behave = (rows) => {
      if (rows.some(({ status }) => status === 999)) throw new Error("value out of range");
    };
    const ledger = await open({ bytesMax: 20_000 });

    for (const row of rowsOf(1, 20)) ledger.record({ ...row, status: 999 });
    for (const row of rowsOf(21, 50)) ledger.record(row);
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(21, 50));
    expect(ledger.snapshot()).toMatchObject({ shipped: 30, rejected: 20 });
    expect(readFileSync(join(folder, "rejected")).length).toBeLessThanOrEqual(2000);
    await ledger.close();
  });

  test.each([1, 7, 200])(
    "a full spool keeps the oldest rows, counts the others and logs once; %i at a time",
    async (together) => {
      store.behave = refuseConnection;
      const bytesMax = 100 * writeLine(rowOf(100)).length;
      const ledger = await open({ bytesMax });

      for (let from = 100; from < 300; from += together)
        ledger.record(...rowsOf(from, Math.min(from + together, 300) - 1));
      const { rows, bytes, dropped } = ledger.snapshot();
      const onDisk = files().reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
      store.behave = () => undefined;
      await clock.runUntil(() => ledger.snapshot().rows === 0);
      ledger.record(rowOf(300));
      await clock.runUntil(() => ledger.snapshot().rows === 0);

      expect({ rows, bytes, dropped, onDisk }).toEqual({
        rows: 100,
        bytes: bytesMax,
        dropped: 100,
        onDisk: bytesMax,
      });
      expect(store.rows).toEqual([...rowsOf(100, 199), rowOf(300)]);
      expect(messages().filter((message) => message.includes("dropped"))).toHaveLength(1);
      await ledger.close();
    },
  );

  /** Nothing can be written until it returns. */
  function failDisk(): () => void {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    return () => rmSync(folder);
  }

  test("rows that a failing disk cannot take are shipped from memory, and the log says so once", async () => {
    const ledger = await open();
    failDisk();

    for (const row of rowsOf(1, 300)) ledger.record(row);
    expect(ledger.snapshot()).toMatchObject({
      rows: 300,
      heldRows: 300,
      bytes: 0,
      dropped: 0,
      lastFailure: "EEXIST",
    });
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(1, 300));
    expect(ledger.snapshot()).toMatchObject({ heldRows: 0, shipped: 300, dropped: 0, oldestAgeMs: null });
    expect(messages()).toEqual(["A ledger row cannot be written; rows wait in memory until there is room."]);
    await ledger.close();
  });

  test.each(["with the next row", "although no other row comes"])(
    "rows in memory are written when the disk has room, %s",
    async (when) => {
      store.behave = refuseConnection;
      const ledger = await open();
      const repair = failDisk();
      for (const row of rowsOf(1, 300)) ledger.record(row);

      repair();
      if (when === "with the next row") ledger.record(rowOf(301));
      await clock.runUntil(() => ledger.snapshot().heldRows === 0);

      const count = when === "with the next row" ? 301 : 300;
      expect(ledger.snapshot().dropped).toBe(0);
      crash();
      const next = await open();
      await clock.runUntil(() => store.rows.length === count);
      expect(store.rows.map(({ id }) => id).sort()).toEqual(
        rowsOf(1, count)
          .map(({ id }) => id)
          .sort(),
      );
      await next.close();
    },
  );

  test("beyond the limit of the memory rows are dropped and counted, and the log says so once", async () => {
    store.behave = refuseConnection;
    const heldBytesMax = 10 * writeLine(rowOf(100)).length;
    const ledger = await open({ heldBytesMax });
    failDisk();

    for (const row of rowsOf(100, 119)) ledger.record(row);
    const { heldRows, dropped } = ledger.snapshot();
    store.behave = () => undefined;
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect({ heldRows, dropped }).toEqual({ heldRows: 10, dropped: 10 });
    expect(store.rows).toEqual(rowsOf(100, 109));
    expect(messages().filter((message) => message.includes("dropped"))).toEqual([
      "A ledger row cannot be kept; rows are dropped and counted.",
    ]);
    clock.advance(120_000);
    ledger.record(rowOf(5, { model: "m".repeat(100_000) }));
    expect(ledger.snapshot()).toMatchObject({ dropped: 11 });
    await ledger.close();
  });

  test.each([
    { name: "are written if the disk has room again", isRepaired: true, dropped: 0 },
    { name: "are counted as dropped if it has none", isRepaired: false, dropped: 3 },
  ])("rows in memory at the close $name", async ({ isRepaired, dropped }) => {
    store.behave = refuseConnection;
    const ledger = await open();
    const repair = failDisk();
    for (const row of rowsOf(1, 3)) ledger.record(row);

    if (isRepaired) repair();
    await close(ledger);

    expect(ledger.snapshot().dropped).toBe(dropped);
    if (isRepaired) expect(files()).not.toEqual([]);
  });

  test("the folders of ended workers are shipped, and removed when they are empty", async () => {
    for (const [name, numbers] of [
      ["2", [1, 2]],
      ["3", [3, 4]],
    ] as const) {
      mkdirSync(join(root, name));
      for (const number of numbers)
        writeFileSync(join(root, name, `000000000${number}.rows`), writeLine(rowOf(number)));
    }
    mkdirSync(join(root, "4"));

    const ledger = await open({ orphans: ["2", "3", "4", "5"].map((name) => join(root, name)) });
    ledger.record(rowOf(5));
    await clock.runUntil(() => ledger.snapshot().rows === 0);

    expect(store.rows).toEqual(rowsOf(1, 5));
    expect(files(root)).toEqual(["1"]);
    await ledger.close();
  });

  test("close ships waiting rows at once", async () => {
    const ledger = await open();

    for (const row of rowsOf(1, 1200)) ledger.record(row);
    await ledger.close();

    expect(store.rows).toEqual(rowsOf(1, 1200));
    expect(files()).toEqual([]);
  });

  test("close leaves rows on disk while the store is unavailable", async () => {
    store.behave = refuseConnection;
    const ledger = await open();
    for (const row of rowsOf(1, 3)) ledger.record(row);

    await ledger.close();
    ledger.record(rowOf(4));
    store = new ScriptedStore();
    const next = await open();
    await clock.runUntil(() => store.rows.length === 4);

    expect(store.rows).toEqual(rowsOf(1, 4));
    await next.close();
  });

  test("close waits a few seconds at most for a store that hangs", async () => {
    store.behave = () => new Promise(() => undefined);
    const ledger = await open();
    ledger.record(rowOf(1));
    const startedAt = clock.now();

    await close(ledger);

    expect(clock.now() - startedAt).toBe(5000);
    expect(existsSync(join(folder, "0000000001.rows"))).toBe(true);
  });
});

describe("gather rows", () => {
  test("rows of one turn are recorded together, before their promises resolve", async () => {
    const recorded: string[][] = [];
    const record = gatherRows({ record: (...rows) => void recorded.push(rows.map(({ id }) => id)) });
    const seen = await Promise.all(
      [1, 2, 3].map(async (number): Promise<LedgerRow["id"][]> => {
        // Like requests that end in one turn.
        await undefined;
        await record(rowOf(number));
        return [...(recorded.at(-1) ?? [])];
      }),
    );
    expect(recorded).toHaveLength(1);
    expect(seen).toEqual([recorded[0], recorded[0], recorded[0]]);

    await record(rowOf(4));
    expect(recorded).toHaveLength(2);
  });
});
