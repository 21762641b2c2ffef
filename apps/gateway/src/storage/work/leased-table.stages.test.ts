import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { leaseMs } from "../../work/leased-work.js";
import { newBatchRow, newPartRow } from "../batches/batch-rows.js";
import type { Tables } from "../database/schema/tables.js";
import { LeasedTable } from "./leased-table.js";

type Part = Tables["batch_parts"];

describeDatabaseOfTier("leased rows", ({ database, open }) => {
  let now = 0;
  let parts: LeasedTable<Part, Part>;

  beforeEach(() => {
    now = 1_000_000;
    parts = leasedBy("here");
  });

  test("are claimed once each, in their order", async () => {
    await add("key_a", 3);

    const claimed = [await parts.claim("one"), await parts.claim("two"), await parts.claim("one")];

    expect(claimed.map((row) => row?.number)).toEqual([0, 1, 2]);
    expect(claimed[1]).toMatchObject({
      state: "running",
      holder: "two",
      attempts: 1,
      lease_until: now + leaseMs,
    });
    expect(await parts.claim("three")).toBeUndefined();
  });

  test("a key with many rows does not keep another key's from starting", async () => {
    await add("key_a", 20);
    await add("key_b", 2);
    await add("key_c", 1);

    const keys: (string | undefined)[] = [];
    for (let count = 0; count < 7; count += 1) keys.push((await parts.claim("one"))?.key_id);

    expect(keys).toEqual(["key_a", "key_b", "key_c", "key_a", "key_b", "key_a", "key_a"]);
  });

  test("concurrent claims of several replicas get different rows", async () => {
    await add("key_a", 20);
    await add("key_b", 20);
    const other = new LeasedTable<Part, Part>(await open(), {
      table: "batch_parts",
      sites: ["here"],
      toItem: (row) => row,
      now: () => now,
    });

    const claimed = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? parts : other).claim(`holder-${index}`)),
    );

    const ids = claimed.flatMap((row) => row?.id ?? []);
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a row is claimed again when its lease has ended, and not while it is renewed", async () => {
    await add("key_a", 2);
    const kept = await parts.claim("alive");
    const lost = await parts.claim("dead");

    now += leaseMs - 1;
    await parts.renew([kept?.id ?? "", lost?.id ?? ""], "alive");
    expect(await parts.recover()).toBe(0);
    now += 1;
    expect(await parts.recover()).toBe(1);

    expect(await parts.claim("next")).toMatchObject({ id: lost?.id, attempts: 2, holder: "next" });
    expect(await parts.claim("next")).toBeUndefined();
  });

  test("a delayed row waits for its time", async () => {
    await add("key_a", 1);
    await database()
      .kysely.updateTable("batch_parts")
      .set({ state: "delayed", lease_until: now + 500 })
      .execute();

    await parts.recover();
    expect(await parts.claim("one")).toBeUndefined();
    now += 500;
    await parts.recover();
    expect(await parts.claim("one")).toBeDefined();
  });

  test("a row that its holder puts back waits, and only one that it delays counts as begun", async () => {
    await add("key_a", 1);
    const { id = "" } = (await parts.claim("one")) ?? {};

    await parts.delay(id, "another", 0);
    await parts.putBack(id, "one", now + 500);
    expect(await parts.recover()).toBe(0);
    now += 500;
    expect(await parts.recover()).toBe(1);
    expect(await parts.claim("one")).toMatchObject({ attempts: 1 });
    await parts.delay(id, "one", now);
    await parts.recover();

    expect(await parts.claim("one")).toMatchObject({ attempts: 2 });
  });

  test("rows of another site are left to it", async () => {
    await add("key_a", 1);

    expect(await leasedBy("there").claim("one")).toBeUndefined();
    expect(await parts.claim("one")).toBeDefined();
  });

  test("at the start, leases end at once on SQLite, and stay on PostgreSQL", async () => {
    await add("key_a", 1);
    await parts.claim("dead");

    await parts.endLeases();
    await parts.recover();

    expect((await parts.claim("next"))?.holder).toBe(database().kind === "sqlite" ? "next" : undefined);
  });

  function leasedBy(site: string): LeasedTable<Part, Part> {
    return new LeasedTable(database(), {
      table: "batch_parts",
      sites: [site],
      toItem: (row) => row,
      now: () => now,
    });
  }

  /** Adds parts of a batch that was created after the ones before. */
  async function add(keyId: string, count: number): Promise<void> {
    now += 1000;
    const batch = newBatchRow({
      id: `batch_${keyId}`,
      keyId,
      keyName: keyId,
      endpoint: "/v1/embeddings",
      inputFileId: "file-1",
      site: "here",
      origin: "http://gateway",
      metadata: null,
      outputTtlMs: null,
      createdAt: now,
      expiresAt: now + 1e6,
      reservedBytes: 0,
    });
    const rows = Array.from({ length: count }, (_, number) =>
      newPartRow(batch, number, { start: number, end: number + 1, firstLine: number + 1, lines: 1 }),
    );
    await database().kysely.insertInto("batch_parts").values(rows).execute();
  }
});
