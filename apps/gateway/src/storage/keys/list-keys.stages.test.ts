import { randomBytes } from "node:crypto";
import type { AccessKey } from "@model-gateway/domain/access-key";
import { GatewayError } from "@model-gateway/domain/errors";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { KeyQuery, KeySort, KeyStore, ListedKey, NewKey, StoredKey } from "../../keys/key-store.js";
import { rowOf } from "../../usage/test/ledger-rows.js";
import { encodeCursor } from "../database/cursor.js";
import { integer, text } from "../database/define-table.js";
import { DatabaseLedgerStore } from "../ledger/ledger-store.js";
import { jsonRows } from "../ledger/rows-json.js";
import { DatabaseKeyStore } from "./key-store.js";

const month = Date.UTC(2026, 7, 1);
const newestFirst: KeyQuery = {
  limit: 100,
  sort: "createdAt",
  order: "desc",
  fileKeys: [],
  spentSince: month,
};
const newKey = (key: Partial<NewKey> = {}): NewKey => ({
  name: "reports",
  limits: {},
  isDisabled: false,
  digest: randomBytes(32),
  lastFour: "wxyz",
  ...key,
});
const fileKey = (name: string, more: Partial<AccessKey> = {}): AccessKey => ({
  id: `config:${name}`,
  name,
  limits: {},
  isDisabled: false,
  ...more,
});

async function pagesOf(store: KeyStore, query: KeyQuery): Promise<ListedKey[][]> {
  const pages: ListedKey[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push([...page.items]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

const namesOf = (keys: readonly ListedKey[]) => keys.map(({ key }) => key.name);

describeDatabaseOfTier("the list of keys", ({ database }) => {
  let nowMs = 1_787_150_086_123;
  const createStore = () => new DatabaseKeyStore(database(), { now: () => nowMs });

  test("it is newest first, and its pages contain every key once, even keys of the same millisecond", async () => {
    const store = createStore();
    const created: StoredKey[] = [];
    for (let count = 0; count < 7; count += 1) {
      if (count % 3 === 0) nowMs += 1;
      created.push(await store.create(newKey()));
    }

    const pages = await pagesOf(store, { ...newestFirst, limit: 3 });

    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    const sorted = created.toSorted(
      (one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1),
    );
    expect(pages.flat()).toEqual(sorted.map((key) => ({ source: "database", key })));
  });

  test("a full last page has no next page", async () => {
    const store = createStore();
    await store.create(newKey());

    expect(Object.keys(await store.list({ ...newestFirst, limit: 1 }))).toEqual(["items", "total"]);
  });

  test("configured keys are listed among the others, with their last request", async () => {
    const store = createStore();
    const stored = await store.create(newKey({ name: "b" }));
    const fileKeys = [fileKey("c"), fileKey("a", { owner: "ann", budget: { usd: 1, per: "day" } })];
    await new DatabaseLedgerStore(database()).add([
      rowOf(1, { keyId: "config:a", at: 5 }),
      rowOf(2, { keyId: "config:a", at: 7 }),
    ]);

    const { items } = await store.list({ ...newestFirst, fileKeys, sort: "name", order: "asc" });

    expect(items).toEqual([
      { source: "file", key: { ...fileKeys[1], lastUsedAt: 7 } },
      { source: "database", key: stored },
      { source: "file", key: fileKeys[0] },
    ]);
  });

  const searches: [string, string[]][] = [
    ["REPORT", ["Reports", "reports of %"]],
    ["ann@", ["Reports"]],
    ["a1b2", ["other"]],
    ["%", ["reports of %"]],
    ["_", []],
    ["\\", ["back\\slash"]],
    ["É", ["É"]],
    ["'", []],
  ];
  test.each(searches)("searching for %j finds %j", async (search, names) => {
    const store = createStore();
    await store.create(newKey({ name: "Reports", owner: "Ann@example.com" }));
    await store.create(newKey({ name: "other", lastFour: "a1b2" }));
    await store.create(newKey({ name: "back\\slash" }));
    const fileKeys = [fileKey("reports of %"), fileKey("É")];

    const { items } = await store.list({ ...newestFirst, fileKeys, search });

    expect(namesOf(items).sort()).toEqual(names);
  });

  test("a search for a character that cannot be stored is refused by name", async () => {
    await expect(createStore().list({ ...newestFirst, search: "a\0" })).rejects.toMatchObject({
      code: "invalid_value",
      param: "search",
    });
  });

  test("each status lists its own keys", async () => {
    const store = createStore();
    await store.create(newKey({ name: "works", expiresAt: nowMs + 1 }));
    await store.create(newKey({ name: "off", isDisabled: true }));
    await store.create(newKey({ name: "over", expiresAt: nowMs, isDisabled: true }));
    const { id } = await store.create(newKey({ name: "gone", expiresAt: nowMs }));
    await store.revoke(id);
    const fileKeys = [fileKey("file works"), fileKey("file over", { expiresAt: 1 })];
    const listed = async (status: NonNullable<KeyQuery["status"]>) =>
      namesOf((await store.list({ ...newestFirst, sort: "name", order: "asc", fileKeys, status })).items);

    expect({
      active: await listed("active"),
      disabled: await listed("disabled"),
      expired: await listed("expired"),
      revoked: await listed("revoked"),
    }).toEqual({
      active: ["file works", "works"],
      disabled: ["off"],
      expired: ["file over", "over"],
      revoked: ["gone"],
    });
  });

  test("keys are sorted by name, creation, last use or spending, in both directions", async () => {
    const store = createStore();
    const created: StoredKey[] = [];
    for (const name of ["Banana", "apple", "cherry"]) {
      nowMs += 1000;
      created.push(await store.create(newKey({ name })));
    }
    const [banana, apple] = created.map(({ id }) => id) as [string, string];
    await store.touch(new Map([[apple, nowMs + 5]]));
    await new DatabaseLedgerStore(database()).add([
      rowOf(1, { keyId: banana, at: month - 1, costNanos: 1_000_000 }),
      rowOf(2, { keyId: banana, at: month, costNanos: 20 }),
      rowOf(3, { keyId: apple, at: month + 1, costNanos: 3 }),
      rowOf(4, { keyId: "config:file", at: nowMs, costNanos: 100 }),
    ]);
    const fileKeys = [fileKey("file")];
    const sorted = async (sort: KeySort, order: "asc" | "desc") =>
      namesOf((await pagesOf(store, { ...newestFirst, limit: 1, fileKeys, sort, order })).flat());

    const orders: Record<KeySort, string[]> = {
      name: ["apple", "Banana", "cherry", "file"],
      createdAt: ["file", "Banana", "apple", "cherry"],
      lastUsedAt: await neverUsedFirst(),
      spent: ["cherry", "apple", "Banana", "file"],
    };
    for (const [sort, names] of Object.entries(orders) as [KeySort, string[]][]) {
      expect(await sorted(sort, "asc")).toEqual(names);
      expect(await sorted(sort, "desc")).toEqual(names.toReversed());
    }

    /** Two were never used, so their ids decide. */
    async function neverUsedFirst(): Promise<string[]> {
      const [first, second] = created
        .filter(({ name }) => name !== "apple")
        .toSorted((one, other) => (one.id < other.id ? -1 : 1));
      return [first!.name, second!.name, "file", "apple"];
    }
  });

  test("ten thousand keys are each on one page, even while keys are created and used", async () => {
    const store = createStore();
    await addKeys(10_000);
    const fileKeys = Array.from({ length: 500 }, (_, number) => fileKey(`file-${number}`));
    const query: KeyQuery = { ...newestFirst, limit: 1000, fileKeys, sort: "name", order: "asc" };

    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      ids.push(...page.items.map(({ key }) => key.id));
      cursor = page.nextCursor;
      // Before all others, so the pages behind must not move.
      await store.create(newKey({ name: "! new" }));
      await store.touch(new Map([[ids.at(-1)!, nowMs]]));
    } while (cursor !== undefined);

    expect(ids).toHaveLength(10_500);
    expect(new Set(ids).size).toBe(10_500);
    const found = await store.list({ ...query, search: "name 77", limit: 5 });
    expect(found.total).toBe(100);
    expect(namesOf(found.items)).toEqual(["name 77", "name 77", "name 77", "name 77", "name 77"]);
  });

  /** A hundred keys of each name, so that the ids decide within them. */
  async function addKeys(count: number): Promise<void> {
    const { kysely, kind } = database();
    const rows = Array.from({ length: count }, (_, number) => ({
      id: `key_${randomBytes(12).toString("hex")}`,
      name: `name ${number % 100}`,
      number,
    }));
    const given = jsonRows<(typeof rows)[number]>(kind, rows, {
      id: text(),
      name: text(),
      number: integer(),
    });
    const digest = kind === "postgres" ? sql`cast(id as bytea)` : sql`cast(id as blob)`;
    await sql`insert into access_keys
        (id, name, revision, created_at, digest, last_four, limits, priority, is_disabled)
      select id, name, number, number, ${digest}, 'wxyz', '{}', 'interactive', 0 from ${given}`.execute(
      kysely,
    );
  }

  test.each([
    "x",
    encodeCursor([1, "a"]),
    encodeCursor(["createdAt", "asc", 1, "a"]),
    encodeCursor(["name", "desc", "a", "a"]),
    encodeCursor(["createdAt", "desc", "1", "a"]),
    encodeCursor(["createdAt", "desc", 1, "a\0"]),
    encodeCursor(["createdAt", "desc", 1, "a", "b"]),
  ])("a cursor that is forged or of another sort is refused: %j", async (cursor) => {
    await expect(createStore().list({ ...newestFirst, cursor })).rejects.toEqual(
      new GatewayError(
        "invalid_value",
        "Invalid cursor. Pass a `next_cursor` value returned by this endpoint.",
        { param: "cursor" },
      ),
    );
  });
});
