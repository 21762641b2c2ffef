import { randomBytes } from "node:crypto";
import { bucketOf, noDurations } from "@model-gateway/domain/duration-histogram";
import { GatewayError } from "@model-gateway/domain/errors";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import { emptyRow } from "../../usage/ledger/ledger-columns.js";
import type {
  LedgerFilter,
  LedgerRow,
  LedgerStore,
  UsageGroup,
  UsageGrouping,
} from "../../usage/ledger/ledger-store.js";
import { anyRow } from "../../usage/test/any-row.js";
import { DatabaseKeyStore } from "../keys/key-store.js";
import { DatabaseLedgerStore } from "./ledger-store.js";

const dayMs = 24 * 3_600_000;
const day = Date.UTC(2026, 7, 19);
const rowOf = (row: Partial<LedgerRow> = {}): LedgerRow => ({
  ...emptyRow,
  id: "req_1",
  at: day,
  keyId: "key_a",
  keyName: "reports",
  operation: "createEmbedding",
  model: "small",
  upstream: "provider",
  attempts: 1,
  status: 200,
  inputTokens: 5,
  costNanos: 100,
  ms: 12.25,
  requestBytes: 40,
  responseBytes: 6000,
  cache: "miss",
  ...row,
});
const nothing: Partial<LedgerRow> = {
  model: null,
  upstream: null,
  attempts: 0,
  costNanos: null,
  cache: null,
  errorCode: "invalid_json",
  status: 400,
};
const sums = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  outputTokens: 0,
  images: 0,
  costNanos: 0,
  unpriced: 0,
  cachedInputs: 0,
  savedNanos: 0,
  durations: noDurations,
};
/** The durations of requests that all took as long as those of `rowOf`. */
const durationsOf = (requests: number) =>
  noDurations.map((_, bucket) => (bucket === bucketOf(12.25) ? requests : 0));

async function listAll(store: LedgerStore, filter: LedgerFilter, limit = 1000): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(filter, { limit, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return rows;
}

describeDatabaseOfTier("the ledger", ({ database, open }) => {
  test("a row is listed as it was added", async () => {
    const store = new DatabaseLedgerStore(database());
    const rows = [rowOf({ id: "b", at: day + 1 }), rowOf({ id: "a", ...nothing })];

    await store.add(rows);

    expect(await store.list({}, { limit: 10 })).toEqual({ items: rows });
  });

  test("any row is found as it was added", async () => {
    const store = new DatabaseLedgerStore(database());
    const random = fc.sample(anyRow(fc.string({ unit: "grapheme", maxLength: 20 })), {
      numRuns: 200,
      seed: 20261119,
    });
    // Ids are unique, and a model that the request named is not one of the ledger.
    const rows = random.map((row, index) => ({ ...row, id: `req_${index}`, model: row.model ?? "small" }));

    await store.add(rows);

    for (const row of rows) expect(await store.find(row.id)).toEqual(row);
  });

  test("a row that is already stored stays unchanged and counts once", async () => {
    const store = new DatabaseLedgerStore(database());
    const row = rowOf();

    await store.add([row, { ...row, inputTokens: 7 }]);
    await store.add([rowOf({ id: "req_2" }), { ...row, inputTokens: 9 }]);
    await store.add([]);

    expect(await listAll(store, {})).toEqual([rowOf({ id: "req_2" }), row]);
    expect(await store.usage({ groupBy: [], filter: {} })).toEqual([
      { ...sums, requests: 2, inputTokens: 10, costNanos: 200, durations: durationsOf(2) },
    ]);
  });

  test("replicas that add the same rows concurrently count each row once", async () => {
    const stores = [new DatabaseLedgerStore(database()), new DatabaseLedgerStore(await open())];
    const rows = Array.from({ length: 300 }, (_, index) =>
      rowOf({ id: `req_${index}`, keyId: `key_${index % 7}`, at: day + index * 60_000 }),
    );

    await Promise.all(
      stores.flatMap((store, index) =>
        [0, 100, 200].map((start) => {
          const part = rows.slice(start, start + 100);
          return store.add(index === 0 ? part : part.toReversed());
        }),
      ),
    );

    expect(await stores[0]!.usage({ groupBy: ["day"], filter: {} })).toEqual([
      {
        ...sums,
        startsAt: day,
        requests: 300,
        inputTokens: 1500,
        costNanos: 30_000,
        durations: durationsOf(300),
      },
    ]);
  });

  test("more rows than fit into one statement are all added", async () => {
    const store = new DatabaseLedgerStore(database());

    await store.add(Array.from({ length: 2500 }, (_, index) => rowOf({ id: `req_${index}` })));

    expect(await store.usage({ groupBy: [], filter: {} })).toEqual([
      { ...sums, requests: 2500, inputTokens: 12_500, costNanos: 250_000, durations: durationsOf(2500) },
    ]);
  });

  test("a value that cannot be stored is repaired and does not block other rows", async () => {
    const store = new DatabaseLedgerStore(database());
    const strange = rowOf({
      model: `a\0b\ud800${"x".repeat(5000)}`,
      inputTokens: Number.NaN,
      costNanos: 1.5,
    });

    await store.add([strange, rowOf({ id: "req_2" })]);

    expect(await listAll(store, {})).toEqual([
      rowOf({ id: "req_2" }),
      { ...strange, model: `a\ufffdb\ufffd${"x".repeat(252)}`, inputTokens: 0, costNanos: 2 },
    ]);
  });

  const filters: [LedgerFilter, string[]][] = [
    [{ from: day + 1 }, ["d", "c", "b"]],
    [{ to: day + 2 }, ["b", "a"]],
    [{ keyId: "key_b" }, ["b"]],
    [{ model: "large" }, ["c"]],
    [{ operation: "createImage" }, ["c"]],
    [{ status: 400 }, ["d"]],
    [{ errorCode: "invalid_json" }, ["d"]],
    [{ upstream: "other" }, ["b"]],
    [{ failed: true }, ["d"]],
    [{ failed: false }, ["c", "b", "a"]],
    [{ cache: "hit" }, ["b"]],
    [{ minMs: 12.25 }, ["d", "c", "b", "a"]],
    [{ minMs: 100 }, ["c", "b"]],
    [{ minMs: 150.5 }, ["c"]],
    [{ minMs: 20_001 }, []],
    [{ minMs: 100, failed: false, upstream: "other", cache: "hit", model: "small" }, ["b"]],
    [{ minMs: 100, failed: true }, []],
    [{ from: day, to: day + 3, keyId: "key_a", status: 200 }, ["c", "a"]],
    [{ model: "none" }, []],
    [{ batchId: "batch_1" }, ["b"]],
    [{ batchId: "batch_2" }, []],
    [{ isBatched: true }, ["b"]],
    [{ jobId: "job_1" }, ["c"]],
    [{ recovered: true }, ["b"]],
    [{ recovered: false }, ["d", "c", "a"]],
    [{ recoveredFrom: "shaky" }, ["b"]],
    [{ recoveredFrom: "other" }, []],
    [{ hasModel: false }, ["d"]],
    [{ hasModel: true }, ["c", "b", "a"]],
    [{ hasModel: false, failed: false }, []],
    [{ owner: { name: "ann", fileKeyIds: [] } }, []],
    [{ owner: { name: "ann", fileKeyIds: ["key_b", "key_none"] } }, ["b"]],
    [{ owner: { name: "ann", fileKeyIds: ["key_a", "key_b"] }, minMs: 100 }, ["c", "b"]],
    [{ owner: { name: "ann", fileKeyIds: ["key_a", "key_b"] }, keyId: "key_b" }, ["b"]],
    [{ owner: { name: "ann", fileKeyIds: ["key_a"] }, hasModel: false, to: day + 4 }, ["d"]],
  ];
  test.each(filters)("only rows that match %j are listed, newest first", async (filter, ids) => {
    const store = new DatabaseLedgerStore(database());
    await store.add([
      rowOf({ id: "a" }),
      rowOf({
        id: "b",
        at: day + 1,
        keyId: "key_b",
        upstream: "other",
        cache: "hit",
        ms: 100,
        batchId: "batch_1",
        failedAttempts: [{ upstream: "shaky", model: "m", status: null, ms: 1.5, reason: "It failed." }],
      }),
      rowOf({ id: "c", at: day + 2, operation: "createImage", model: "large", ms: 20_000, jobId: "job_1" }),
      rowOf({ id: "d", at: day + 3, ...nothing }),
    ]);

    const rows = await listAll(store, filter);

    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  test("a row is found by its id", async () => {
    const store = new DatabaseLedgerStore(database());
    const failure = {
      message: 'It failed, "quoted" \0 \ud800 and 狐.',
      param: "input",
      requestedModel: null,
      attempts: [{ upstream: "one", model: "m", status: null, ms: 1.5, reason: "It failed." }],
    };
    const row = rowOf({ id: "a", ...nothing, failure });
    const recovered = rowOf({ id: "b", failedAttempts: failure.attempts });
    await store.add([row, recovered]);

    expect(await store.find("a")).toEqual(row);
    expect(await store.find("b")).toEqual(recovered);
    expect(await store.find("c")).toBeUndefined();
    expect(await store.find("a\0")).toBeUndefined();
  });

  test("a refused request counts under a model that the ledger knows, and other ids are never counted", async () => {
    const store = new DatabaseLedgerStore(database());
    const refused = (id: string, requestedModel: string | null) =>
      rowOf({
        id,
        model: null,
        status: 404,
        errorCode: "model_not_found",
        failure: { message: "No.", param: "model", requestedModel, attempts: [] },
      });
    await store.add([rowOf({ id: "a", model: "removed" })]);

    const added = [
      refused("b", "removed"),
      refused("c", "invented"),
      refused("d", "invented"),
      refused("e", null),
    ];
    await store.add(added);
    await store.add(added);

    const rows = await listAll(store, {}, 10);
    expect(Object.fromEntries(rows.map(({ id, model }) => [id, model]))).toEqual({
      a: "removed",
      b: "removed",
      c: null,
      d: null,
      e: null,
    });
    expect((await store.find("b"))?.failure?.requestedModel).toBe("removed");
    const groups = await store.usage({ groupBy: ["model"], filter: {} });
    expect(groups.map(({ model, requests, failures }) => [model, requests, failures])).toEqual([
      [null, 3, 3],
      ["removed", 2, 1],
    ]);
    expect(await listAll(store, { model: "removed", failed: true }, 10)).toHaveLength(1);
  });

  test("a caller who left has not failed, and requests of the console and the gateway are told apart", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add([
      rowOf({ id: "a", status: 499 }),
      rowOf({ id: "b", status: 500 }),
      rowOf({ id: "c" }),
      rowOf({ id: "d", keyId: "console:operator", status: 502 }),
      rowOf({ id: "e", keyId: "gateway:probe" }),
    ]);
    const idsOf = async (filter: LedgerFilter) =>
      (await listAll(store, filter, 2)).map(({ id }) => id).sort();
    const failuresOf = async (filter: LedgerFilter) => {
      const [sum] = await store.usage({ groupBy: [], filter });
      return [sum?.requests, sum?.failures];
    };

    expect(await idsOf({ failed: true })).toEqual(["b", "d"]);
    expect(await idsOf({ failed: false })).toEqual(["a", "c", "e"]);
    expect(await idsOf({ isInternal: true })).toEqual(["d", "e"]);
    expect(await idsOf({ isInternal: false, failed: true })).toEqual(["b"]);
    expect(await failuresOf({})).toEqual([5, 2]);
    expect(await failuresOf({ isInternal: true })).toEqual([2, 1]);
    expect(await failuresOf({ isInternal: false })).toEqual([3, 1]);
  });

  test("pages of a filtered list contain every matching row once", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add(
      Array.from({ length: 40 }, (_, index) =>
        rowOf({
          id: `req_${String(index).padStart(2, "0")}`,
          at: day + Math.floor(index / 9),
          upstream: index % 2 === 0 ? "one" : "two",
          status: index % 3 === 0 ? 500 : 200,
          ms: index * 100,
        }),
      ),
    );

    const rows = await listAll(store, { upstream: "one", failed: true, minMs: 1000 }, 2);

    expect(rows.map(({ id }) => id)).toEqual(["req_36", "req_30", "req_24", "req_18", "req_12"]);
  });

  test("pages contain every row once, even if rows arrive in between", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add(
      Array.from({ length: 10 }, (_, index) =>
        rowOf({ id: `req_${index}`, at: day + Math.floor(index / 4) }),
      ),
    );

    const first = await store.list({}, { limit: 5 });
    await store.add([rowOf({ id: "req_new", at: day + dayMs })]);
    const second = await store.list({}, { limit: 5, cursor: first.nextCursor! });

    expect(first.items.map(({ id }) => id)).toEqual(["req_9", "req_8", "req_7", "req_6", "req_5"]);
    expect(second.items.map(({ id }) => id)).toEqual(["req_4", "req_3", "req_2", "req_1", "req_0"]);
    expect(second.nextCursor).toBeUndefined();
  });

  test("pages of an owner's requests contain those of all the owner's keys, also those that had another owner before", async () => {
    const store = new DatabaseLedgerStore(database());
    const keys = new DatabaseKeyStore(database(), { now: () => day });
    const createKey = (owner: string) =>
      keys.create({
        name: "a",
        owner,
        limits: {},
        isDisabled: false,
        digest: randomBytes(32),
        lastFour: "wxyz",
      });
    const [one, two, other] = [await createKey("ann"), await createKey("bob"), await createKey("bob")];
    const keyIds = [one.id, two.id, other.id, "config:a", "config:b"];
    await store.add(
      Array.from({ length: 50 }, (_, index) =>
        rowOf({
          id: `req_${String(index).padStart(2, "0")}`,
          // Several rows have the same time.
          at: day + Math.floor(index / 7),
          keyId: keyIds[index % 5]!,
          status: index % 2 === 0 ? 200 : 500,
        }),
      ),
    );
    await keys.change(two.id, { owner: "ann" });
    const owner = { name: "ann", fileKeyIds: ["config:a"] };
    const expected = Array.from({ length: 50 }, (_, index) => index)
      .filter((index) => [0, 1, 3].includes(index % 5))
      .reverse()
      .map((index) => `req_${String(index).padStart(2, "0")}`);

    for (const limit of [1, 4, 1000])
      expect((await listAll(store, { owner }, limit)).map(({ id }) => id)).toEqual(expected);
    expect((await listAll(store, { owner, failed: true }, 4)).map(({ id }) => id)).toEqual(
      expected.filter((id) => Number(id.slice(4)) % 2 === 1),
    );
  });

  test("an invalid cursor or filter is refused by name", async () => {
    const store = new DatabaseLedgerStore(database());
    const refused = (param: string) => expect.objectContaining({ code: "invalid_value", param });

    await expect(store.list({}, { limit: 1, cursor: "x" })).rejects.toEqual(refused("cursor"));
    await expect(store.list({ model: "\0" }, { limit: 1 })).rejects.toEqual(refused("model"));
    await expect(store.list({ upstream: "\0" }, { limit: 1 })).rejects.toEqual(refused("upstream"));
    await expect(store.list({ owner: { name: "\0", fileKeyIds: [] } }, { limit: 1 })).rejects.toEqual(
      refused("owner"),
    );
    await expect(store.usage({ groupBy: [], filter: { keyId: "\0" } })).rejects.toEqual(refused("key_id"));
    await expect(
      store.usage({ groupBy: [], filter: { owner: { name: "\0", fileKeyIds: [] } } }),
    ).rejects.toEqual(refused("owner"));
  });

  test("usage is summed by key, model and day, with the current name of the key", async () => {
    const store = new DatabaseLedgerStore(database());
    const keys = new DatabaseKeyStore(database(), { now: () => day });
    const key = await keys.create({
      name: "before",
      limits: {},
      isDisabled: false,
      digest: Buffer.alloc(32),
      lastFour: "wxyz",
    });
    await store.add([
      rowOf({ id: "a", keyId: key.id, keyName: "before" }),
      rowOf({ id: "b", keyId: key.id, keyName: "before", at: day + dayMs - 1, ...nothing }),
      rowOf({ id: "c", keyId: "config:ann", keyName: "ann", at: day + dayMs, images: 2, outputTokens: 9 }),
    ]);
    await keys.change(key.id, { name: "after" });

    const usage = await store.usage({ groupBy: ["day", "key", "model"], filter: {} });

    const shared = { ...sums, requests: 1, inputTokens: 5, durations: durationsOf(1) };
    const unpriced = { ...shared, startsAt: day, model: null, failures: 1, unpriced: 1 };
    expect(usage).toEqual([
      { ...unpriced, keyId: key.id, keyName: "after" },
      { ...shared, startsAt: day, keyId: key.id, keyName: "after", model: "small", costNanos: 100 },
      {
        ...shared,
        startsAt: day + dayMs,
        keyId: "config:ann",
        keyName: "ann",
        model: "small",
        costNanos: 100,
        images: 2,
        outputTokens: 9,
      },
    ]);
  });

  test("usage is summed by batch, and without requests that are not lines of one", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add([
      rowOf({ id: "a", batchId: "batch_1" }),
      rowOf({ id: "b", batchId: "batch_1", at: day + dayMs, keyId: "key_b" }),
      rowOf({ id: "c", batchId: "batch_2", ...nothing }),
      rowOf({ id: "d" }),
    ]);
    const sumsOf = async (groupBy: UsageGrouping[], filter: LedgerFilter) => {
      const groups = await store.usage({ groupBy, filter });
      return groups.map(({ batchId, keyId, startsAt, requests, failures, inputTokens }) => [
        ...[batchId, keyId, startsAt].filter((one) => one !== undefined),
        ...[requests, failures, inputTokens],
      ]);
    };

    expect(await sumsOf(["batch"], {})).toEqual([
      ["batch_1", 2, 0, 10],
      ["batch_2", 1, 1, 5],
    ]);
    expect(await sumsOf(["batch", "key"], { batchId: "batch_1" })).toEqual([
      ["batch_1", "key_a", 1, 0, 5],
      ["batch_1", "key_b", 1, 0, 5],
    ]);
    expect(await sumsOf(["batch", "day"], { keyId: "key_a", from: day + 1 })).toEqual([]);
    expect(await sumsOf([], { batchId: "batch_1" })).toEqual([[2, 0, 10]]);
  });

  test("the costs of batches and of single rows are those of the rows, each counted once", async () => {
    const store = new DatabaseLedgerStore(database());
    const first = [
      rowOf({ id: "a", batchId: "batch_1", costNanos: 100 }),
      rowOf({ id: "b", batchId: "batch_2", costNanos: null }),
      rowOf({ id: "c", costNanos: 7 }),
    ];
    await store.add(first);
    await store.add([...first, rowOf({ id: "d", batchId: "batch_1", costNanos: 20 })]);
    await store.add([rowOf({ id: "e", batchId: "batch_1", costNanos: null })]);

    expect(await store.spentByBatch(["batch_1", "batch_2", "batch_3"])).toEqual(
      new Map([
        ["batch_1", { requests: 3, costNanos: 120, unpriced: 1 }],
        ["batch_2", { requests: 1, costNanos: 0, unpriced: 1 }],
      ]),
    );
    expect(await store.costsOf(["b", "c", "z"])).toEqual(
      new Map([
        ["b", null],
        ["c", 7],
      ]),
    );
    expect([await store.spentByBatch([]), await store.costsOf([])]).toEqual([new Map(), new Map()]);
  });

  test("usage is summed by the current owner, including keys that are not in the database", async () => {
    const store = new DatabaseLedgerStore(database());
    const keys = new DatabaseKeyStore(database(), { now: () => day });
    const createKey = (owner?: string) =>
      keys.create({
        name: "a",
        limits: {},
        isDisabled: false,
        digest: randomBytes(32),
        lastFour: "wxyz",
        ...(owner === undefined ? {} : { owner }),
      });
    const [one, two, three] = [await createKey("ann"), await createKey("bob"), await createKey()];
    await store.add(
      [one.id, two.id, three.id, "config:a", "config:b"].map((keyId, index) =>
        rowOf({ id: `req_${index}`, keyId, inputTokens: 10 ** index }),
      ),
    );
    await keys.change(two.id, { owner: "ann" });

    const usage = await store.usage({
      groupBy: ["owner", "operation"],
      filter: {},
      fileOwners: [{ id: "config:a", owner: "ann" }],
    });

    expect(usage.map(({ owner, operation, inputTokens }) => ({ owner, operation, inputTokens }))).toEqual([
      { owner: null, operation: "createEmbedding", inputTokens: 10_100 },
      { owner: "ann", operation: "createEmbedding", inputTokens: 1011 },
    ]);
  });

  test("usage without an upstream is a group, in hourly and daily rollups alike", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add([rowOf({ id: "a" }), rowOf({ id: "b", upstream: null })]);

    for (const filter of [{ from: day, to: day + 3_600_000 }, {}])
      expect(await store.usage({ groupBy: ["upstream"], filter })).toMatchObject([
        { upstream: null, requests: 1, durations: durationsOf(1) },
        { upstream: "provider", requests: 1, durations: durationsOf(1) },
      ]);
  });

  test("spending of a key is summed from any time on", async () => {
    const store = new DatabaseLedgerStore(database());
    await store.add([
      rowOf({ id: "a", at: day - 1, costNanos: 1 }),
      rowOf({ id: "b", at: day, costNanos: 20 }),
      rowOf({ id: "c", at: day + 40 * dayMs, costNanos: 300 }),
      rowOf({ id: "d", at: day, costNanos: null, estimatedNanos: 4000 }),
      rowOf({ id: "e", at: day, keyId: "key_b" }),
    ]);

    expect(await store.spentSince("key_a", day)).toBe(4320);
    expect(await store.spentSince("key_a", day - 1)).toBe(4321);
    expect(await store.spentSince("key_a", day + 1)).toBe(300);
    expect(await store.spentSince("key_none", 0)).toBe(0);
    expect(await store.spentByKey(["key_a", "key_b", "key_none"], day)).toEqual(
      new Map([
        ["key_a", { costNanos: 320, unpriced: 1, estimatedNanos: 4000 }],
        ["key_b", { costNanos: 100, unpriced: 0, estimatedNanos: 0 }],
      ]),
    );
    expect(await store.spentByKey(["key_b"], day)).toEqual(
      new Map([["key_b", { costNanos: 100, unpriced: 0, estimatedNanos: 0 }]]),
    );
  });

  test("for any time range and grouping, usage equals the sum of the rows", async () => {
    const store = new DatabaseLedgerStore(database());
    const random = fc.sample(
      fc.record({
        at: fc.integer({ min: day - 3 * dayMs, max: day + 3 * dayMs }),
        keyId: fc.constantFrom("key_a", "key_b"),
        model: fc.constantFrom("small", "large", null),
        operation: fc.constantFrom("createEmbedding", "createImage"),
        upstream: fc.constantFrom("one", "two", null),
        status: fc.constantFrom(200, 429, 500),
        ms: fc.constantFrom(0, 1, 1.01, 10, 12.5, 100, 999.9, 1000, 86_000, 1_000_000, 1_000_001),
        costNanos: fc.option(fc.nat({ max: 1000 })),
        cached: fc.constantFrom([0, 0], [0, 0], [1, 70], [3, 0], [2, null], [2, null]),
      }),
      { numRuns: 400, seed: 7 },
    );
    const rows = random.map(({ cached: [cachedInputs, savedNanos], ...row }, index) =>
      rowOf({
        ...row,
        id: `req_${index}`,
        keyName: row.keyId,
        cachedInputs: cachedInputs ?? 0,
        savedNanos: savedNanos ?? null,
      }),
    );
    await store.add(rows);

    const bound = fc.option(fc.integer({ min: day - 3 * dayMs, max: day + 3 * dayMs }), { nil: undefined });
    const query = fc.record({
      groupBy: fc.subarray<UsageGrouping>(["key", "model", "operation", "upstream", "day", "hour"]),
      from: bound,
      to: bound,
      keyId: fc.option(fc.constant("key_a"), { nil: undefined }),
      model: fc.option(fc.constant("small"), { nil: undefined }),
      upstream: fc.option(fc.constant("one"), { nil: undefined }),
      status: fc.option(fc.constant(500), { nil: undefined, freq: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ groupBy, ...given }) => {
        const filter = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

        const usage = await store.usage({ groupBy, filter });

        expect(usage).toEqual(sumByHand(rows, groupBy, filter));
      }),
      { numRuns: 100, seed: 20261116 },
    );
  });

  test("a result with too many groups is refused", async () => {
    const store = new DatabaseLedgerStore(database(), { groupsMax: 3 });
    const rows = ["a", "b", "c", "d"].map((id) => rowOf({ id, keyId: `key_${id}` }));

    await store.add(rows.slice(1));
    expect(await store.usage({ groupBy: ["key"], filter: {} })).toHaveLength(3);
    await store.add(rows);

    await expect(store.usage({ groupBy: ["key"], filter: {} })).rejects.toEqual(
      new GatewayError(
        "invalid_value",
        "The result has more than 3 groups. Choose a shorter time range or fewer groupings.",
        { param: "from" },
      ),
    );
  });
});

function sumByHand(
  rows: readonly LedgerRow[],
  groupBy: readonly UsageGrouping[],
  filter: LedgerFilter,
): UsageGroup[] {
  const { from = 0, to = Number.MAX_SAFE_INTEGER, keyId, model, upstream, status } = filter;
  const stepMs = groupBy.includes("hour") ? 3_600_000 : dayMs;
  const groups = new Map<string, UsageGroup>();
  if (groupBy.length === 0) groups.set("", sums);
  for (const row of rows) {
    if (row.at < from || row.at >= to) continue;
    if ((keyId ?? row.keyId) !== row.keyId || (status ?? row.status) !== row.status) continue;
    if (model !== undefined && model !== row.model) continue;
    if (upstream !== undefined && upstream !== row.upstream) continue;
    const startsAt = row.at - (row.at % stepMs);
    const group = {
      ...((groupBy.includes("hour") || groupBy.includes("day")) && { startsAt }),
      ...(groupBy.includes("key") && { keyId: row.keyId, keyName: row.keyName }),
      ...(groupBy.includes("model") && { model: row.model }),
      ...(groupBy.includes("operation") && { operation: row.operation }),
      ...(groupBy.includes("upstream") && { upstream: row.upstream }),
    };
    const name =
      groupBy.length === 0
        ? ""
        : Object.values(group)
            .map((value) => value ?? "")
            .join(" ");
    const soFar = groups.get(name) ?? { ...group, ...sums };
    groups.set(name, {
      ...soFar,
      requests: soFar.requests + 1,
      failures: soFar.failures + (row.status >= 400 && row.status !== 499 ? 1 : 0),
      inputTokens: soFar.inputTokens + row.inputTokens,
      costNanos: soFar.costNanos + (row.costNanos ?? 0),
      unpriced: soFar.unpriced + (row.costNanos === null ? 1 : 0),
      cachedInputs: soFar.cachedInputs + row.cachedInputs,
      savedNanos: addSaved(soFar, row),
      durations: soFar.durations.map((requests, bucket) => requests + (bucket === bucketOf(row.ms) ? 1 : 0)),
    });
  }
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

/** Known savings only. If none is known, the sum is unknown. */
function addSaved(one: UsageGroup, other: LedgerRow): number | null {
  if (other.cachedInputs === 0 || other.savedNanos === null)
    return one.cachedInputs === 0 ? other.savedNanos : one.savedNanos;
  return (one.savedNanos ?? 0) + other.savedNanos;
}
