import { newOrderedId } from "@model-gateway/runtime/new-id";
import { expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { FileQuery, FileRecord } from "../../files/file-index.js";
import { DatabaseFileIndex } from "./file-index.js";

const start = 1_700_000_000_000;
const hourMs = 3_600_000;
const quotas = { keyBytesMax: 100, keyFilesMax: 3, storeBytesMax: 150 };

function record(changes: Partial<FileRecord> = {}): FileRecord {
  const { createdAt = start } = changes;
  return {
    id: newOrderedId("file-", createdAt),
    keyId: "key_a",
    purpose: "batch",
    filename: "input.jsonl",
    bytes: 10,
    createdAt,
    expiresAt: createdAt + hourMs,
    site: "here",
    ...changes,
  };
}

describeDatabaseOfTier("an index of files", ({ database, open }) => {
  let now = start;
  const create = (on = database()) => {
    now = start;
    return new DatabaseFileIndex(on, { site: "here", now: () => now });
  };

  test("a record is found until it expires", async () => {
    const index = create();
    const one = record({ filename: "Ünïcode 文件.jsonl", bytes: 5_000_000_000 });
    await index.insert(one);

    expect(await index.find(one.id)).toEqual(one);
    expect(await index.find("file-unknown")).toBeUndefined();
    expect(await index.find("file-\0")).toBeUndefined();
    now = one.expiresAt;
    expect(await index.find(one.id)).toBeUndefined();
    expect(await index.expired(10)).toEqual([one.id]);
    expect(await index.delete(one.id)).toBe(true);
    expect(await index.delete(one.id)).toBe(false);
    expect(await index.expired(10)).toEqual([]);
  });

  test("expired files of another site are left to it for a day", async () => {
    const index = create();
    const [here, there] = [record(), record({ site: "there", createdAt: start + 1 })];
    for (const one of [here, there]) await index.insert(one);

    const expired = [await index.expire(there.id), await index.expire(there.id)];
    const found = await index.find(there.id);
    now = there.expiresAt;
    const soon = await index.expired(10);
    now = start + 24 * hourMs;

    expect([expired, found]).toEqual([[true, false], undefined]);
    expect(soon).toEqual([here.id]);
    expect(await index.expired(10)).toEqual([there.id, here.id]);
  });

  test("a list has pages in both orders, and filters", async () => {
    const index = create();
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      const one = record({ createdAt: start + at, purpose: at === 2 ? "batch_output" : "batch" });
      await index.insert(one);
      ids.push(one.id);
    }
    const others = record({ keyId: "key_b", createdAt: start + 9 });
    await index.insert(others);
    const list = async (query: Partial<FileQuery>) => {
      const { items, hasMore } = await index.list({
        of: { keyId: "key_a" },
        order: "asc",
        limit: 10,
        ...query,
      });
      return { ids: items.map(({ id }) => id), hasMore };
    };

    expect(await list({})).toEqual({ ids, hasMore: false });
    expect(await list({ limit: 2 })).toEqual({ ids: ids.slice(0, 2), hasMore: true });
    expect(await list({ limit: 2, after: ids[1] })).toEqual({ ids: ids.slice(2, 4), hasMore: true });
    expect(await list({ limit: 2, after: ids[3] })).toEqual({ ids: ids.slice(4), hasMore: false });
    expect(await list({ order: "desc", limit: 2 })).toEqual({ ids: [ids[4], ids[3]], hasMore: true });
    expect(await list({ order: "desc", after: ids[1] })).toEqual({ ids: [ids[0]], hasMore: false });
    expect(await list({ purpose: "batch_output" })).toEqual({ ids: [ids[2]], hasMore: false });
    expect(await list({ of: undefined, order: "desc", limit: 1 })).toEqual({
      ids: [others.id],
      hasMore: true,
    });
    await index.delete(ids[1] ?? "");
    expect(await list({ limit: 2, after: ids[1] })).toEqual({ ids: ids.slice(2, 4), hasMore: true });
  });

  test("a list of a key has the files of its owner, each once", async () => {
    const index = create();
    const files = [
      record({ keyId: "key_a", owner: "search", createdAt: start }),
      record({ keyId: "key_b", owner: "search", createdAt: start + 1 }),
      record({ keyId: "key_a", owner: "ads", createdAt: start + 2 }),
      record({ keyId: "key_c", owner: "ads", createdAt: start + 3 }),
      record({ keyId: "key_d", createdAt: start + 4 }),
    ];
    for (const file of files) await index.insert(file);
    const list = async (of: FileQuery["of"], query: Partial<FileQuery> = {}) => {
      const { items } = await index.list({ of, order: "asc", limit: 10, ...query });
      return items.map(({ id }) => files.findIndex((file) => file.id === id));
    };

    expect(await list({ keyId: "key_a", owner: "search" })).toEqual([0, 1, 2]);
    expect(await list({ keyId: "key_a", owner: "search" }, { limit: 2, order: "desc" })).toEqual([2, 1]);
    expect(await list({ keyId: "key_a", owner: "search" }, { after: files[0]?.id })).toEqual([1, 2]);
    expect(await list({ keyId: "key_a" })).toEqual([0, 2]);
    expect(await list({ keyId: "key_d" })).toEqual([4]);
  });

  test("each quota refuses a file, and counts no expired ones", async () => {
    const index = create();

    expect(await index.insert(record({ bytes: 101 }), quotas)).toBe("keyBytesMax");
    expect(await index.insert(record({ bytes: 100 }), quotas)).toBeUndefined();
    expect(await index.insert(record({ bytes: 1 }), quotas)).toBe("keyBytesMax");
    expect(await index.check({ keyId: "key_b", bytes: 51 }, quotas)).toBe("storeBytesMax");
    expect(await index.check({ keyId: "key_b", bytes: 50 }, quotas)).toBeUndefined();
    for (let count = 0; count < 3; count += 1)
      expect(await index.insert(record({ keyId: "key_b", bytes: 0 }), quotas)).toBeUndefined();
    expect(await index.insert(record({ keyId: "key_b", bytes: 0 }), quotas)).toBe("keyFilesMax");
    expect(await index.insert(record({ keyId: "key_b", bytes: 1000 }))).toBeUndefined();
    now += hourMs;
    expect(await index.check({ keyId: "key_a", bytes: 100 }, quotas)).toBeUndefined();
  });

  test("images behind links count with the file that has the links", async () => {
    const index = create();
    const one = record({ bytes: 10, linkedBytes: 85 });
    await index.insert(one);

    expect(await index.find(one.id)).toEqual(one);
    const wide = { ...quotas, storeBytesMax: 1000 };
    expect(await index.check({ keyId: "key_a", bytes: 6 }, wide)).toBe("keyBytesMax");
    expect(await index.check({ keyId: "key_a", bytes: 5 }, wide)).toBeUndefined();
  });

  test("no key takes all of the store", async () => {
    const index = create();
    const wide = { keyBytesMax: 1000, keyFilesMax: 100, storeBytesMax: 300 };
    const shares: number[] = [];
    for (const keyId of ["a", "b", "c", "d"]) {
      let taken = 0;
      while ((await index.insert(record({ keyId, bytes: 10 }), wide)) === undefined) taken += 10;
      shares.push(taken);
    }

    expect(shares).toEqual([150, 80, 40, 20]);
    expect(await index.check({ keyId: "e", bytes: 10 }, wide)).toBeUndefined();
  });

  test("a refusal is remembered as long as its file", async () => {
    const index = create();
    const one = record();
    await index.insert(one);
    expect(await index.refusalOf(one.id)).toBeUndefined();

    await index.noteRefusal(one.id, '{"faults":[]}');

    expect(await index.refusalOf(one.id)).toBe('{"faults":[]}');
    expect(await index.find(one.id)).toEqual(one);
    await index.delete(one.id);
    expect(await index.refusalOf(one.id)).toBeUndefined();
  });

  test("replicas that add files at once stay within the quota together", async () => {
    const other = create(await open());
    const index = create();

    const outcomes = await Promise.all(
      [index, other, index, other, index, other].map((one) => one.insert(record({ bytes: 40 }), quotas)),
    );

    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(2);
  });

  test("the ids that exist are told apart", async () => {
    const index = create();
    const one = record();
    await index.insert(one);
    now += 2 * hourMs;

    expect(await index.existing([one.id, "file-other"])).toEqual(new Set([one.id]));
    expect(await index.existing([])).toEqual(new Set());
  });
});
