import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { diskFull } from "@model-gateway/domain/errors";
import { type Bucket, openBucket } from "@model-gateway/object-store/open-bucket";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import { newOrderedId } from "@model-gateway/runtime/new-id";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type FileStore, MissingFileError, type StoredFile } from "../../files/file-store.js";
import { openDiskFileStore } from "./disk-file-store.js";
import { S3FileStore } from "./s3-file-store.js";

const log = pino({ level: "silent" });
const dayMs = 86_400_000;

interface StoreBackend {
  /** Each has another process id. */
  open(): Promise<FileStore>;
  /** The names of all that is stored, drafts and unfinished uploads included. */
  names(): string[];
}

let dataDir: string;
const openDisk = (options: { id?: number; isAlive?: () => boolean; checkRoom?: () => void } = {}) => {
  const { id = 1, isAlive = () => true, checkRoom = () => undefined } = options;
  return openDiskFileStore({ dataDir, disk: { checkRoom }, self: { id, isAlive } });
};

describe("files on disk", () => {
  let opened = 0;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "files-"));
    return () => rmSync(dataDir, { recursive: true });
  });
  const names = () => readdirSync(join(dataDir, "files")).sort();

  testFileStore({
    open: () => {
      opened += 1;
      return openDisk({ id: opened });
    },
    names,
  });

  test("only the gateway can read them", async () => {
    const id = await put(await openDisk(), "secret");

    expect(statSync(join(dataDir, "files")).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, "files", id)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, "files", id), "utf8")).toBe("secret");
  });

  test("the drafts of a process that has died are removed at the next start and by a sweep", async () => {
    const dead = await openDisk({ id: 7 });
    await leaveDraft(dead, "file-left");
    expect(names()).toHaveLength(1);

    await openDisk({ id: 8 });
    expect(names()).toHaveLength(1);
    const store = await openDisk({ id: 8, isAlive: () => false });
    expect(names()).toEqual([]);

    const own = await store.create("file-own");
    await leaveDraft(dead, "file-again");
    await store.sweep();
    expect(names()).toEqual(["8-1-file-own.part"]);
    await own.abort();
  });

  test("a process with the id of a dead one removes its drafts", async () => {
    await leaveDraft(await openDisk({ id: 1 }), "file-left");

    await openDisk({ id: 1 });

    expect(names()).toEqual([]);
  });

  test("other files in the folder are left alone", async () => {
    const store = await openDisk();
    writeFileSync(join(dataDir, "files", "notes.txt"), "mine");

    await store.sweep();

    expect(await listed(store)).toEqual([]);
    expect(names()).toEqual(["notes.txt"]);
  });

  test("a full disk is a clear error, before and during a file", async () => {
    let isFull = true;
    const store = await openDisk({
      checkRoom: () => {
        if (isFull) throw diskFull();
      },
    });
    const isStorageFull = expect.objectContaining({ code: "storage_full", status: 503 });

    await expect(store.checkWritable(1)).rejects.toEqual(isStorageFull);
    await expect(store.create("file-one")).rejects.toEqual(isStorageFull);
    isFull = false;
    const writer = await store.create("file-one");
    isFull = true;
    await expect(writer.write(Buffer.alloc(1_000_000))).rejects.toEqual(isStorageFull);
    await writer.abort();

    expect(names()).toEqual([]);
  });

  test("a list has the time of the last write", async () => {
    const store = await openDisk();
    const id = await put(store, "old");
    utimesSync(join(dataDir, "files", id), 100, 100);

    expect(await listed(store)).toEqual([{ id, writtenAt: 100_000 }]);
  });
});

describe("files in a bucket", () => {
  const partBytes = 100_000;
  let server: S3Server;
  let now: number;
  const buckets: Bucket[] = [];
  beforeEach(async () => {
    now = Date.now();
    server = await S3Server.start();
    server.uploads.partBytesMin = partBytes;
  });
  afterEach(async () => {
    await Promise.all(buckets.splice(0).map((bucket) => bucket.close()));
    await server.stop();
  });
  const open = async () => {
    const bucket = openBucket(server.settings, {
      signer: server.signer,
      now: () => now,
      log,
      limits: { attemptsMax: 2 },
    });
    buckets.push(bucket);
    return new S3FileStore({ bucket: bucket.files, now: () => now, partBytes });
  };
  const names = () =>
    [
      ...[...server.objects.keys()]
        .filter((key) => !key.endsWith("/probe"))
        .map((key) => key.split("/").at(-1) ?? ""),
      ...[...server.uploads.open.values()].map(({ key }) => `upload of ${key.split("/").at(-1)}`),
    ].sort();

  testFileStore({ open, names });

  test("a large file is one object, uploaded in parts", async () => {
    const store = await open();
    const content = Buffer.alloc(partBytes * 3 + 17, "0123456789");

    const id = await put(store, content);

    const key = `some/prefix/files/${id}`;
    expect([...server.objects.keys()]).toEqual([key]);
    expect(server.objects.get(key)?.content.equals(content)).toBe(true);
    expect(server.requests).toEqual([`POST ${key}`, ...Array(3).fill(`PUT ${key}`), `POST ${key}`]);
  });

  test("a part that fails is sent again", async () => {
    const store = await open();
    server.fail("slow-down", { times: 1, concerning: /^PUT/ });
    server.fail("cut", { times: 1, concerning: /^POST/ });
    const content = Buffer.alloc(partBytes * 2, 5);

    const id = await put(store, content);

    expect((await buffer(await store.read(id))).equals(content)).toBe(true);
  });

  test.each(["forbidden", "slow-down", "full"] as const)(
    "a bucket that is %s is a clear error, and is known before the next file",
    async (fault) => {
      const store = await open();
      await store.checkWritable();
      server.fail(fault);
      const isUnavailable = expect.objectContaining({ code: "file_store_unavailable", status: 503 });

      await expect(put(store, "one")).rejects.toEqual(isUnavailable);
      await expect(store.checkWritable()).rejects.toEqual(isUnavailable);
      await expect(put(store, Buffer.alloc(partBytes * 2))).rejects.toEqual(isUnavailable);
      await expect(store.read("file-any")).rejects.toEqual(isUnavailable);
      await expect(store.delete("file-any")).rejects.toEqual(isUnavailable);
      server.recover();

      expect(names()).toEqual([]);
    },
  );

  test("an upload that a dead process has left is aborted after a day, and no other one", async () => {
    const store = await open();
    const writer = await store.create("file-left");
    await writer.write(Buffer.alloc(partBytes));

    now += dayMs - 60_000;
    await store.sweep();
    expect(names()).toEqual(["upload of file-left"]);
    now += 120_000;
    await store.sweep();

    expect(names()).toEqual([]);
    await expect(writer.commit()).rejects.toMatchObject({ code: "file_store_unavailable" });
  });

  test("a list goes through all pages", async () => {
    const store = await open();
    const count = 1203;
    for (let at = 0; at < count; at += 1)
      server.objects.set(`some/prefix/files/file-${String(at).padStart(5, "0")}`, {
        content: Buffer.alloc(1),
        type: "",
        modifiedAt: at,
      });
    server.objects.set("some/prefix/files/notes.txt", { content: Buffer.alloc(1), type: "" });

    const found = await listed(store);

    expect(found).toHaveLength(count);
    expect(found.at(-1)).toEqual({ id: "file-01202", writtenAt: 1202 });
  });
});

/** Writes a file without an end, as a process that dies does. */
async function leaveDraft(store: FileStore, id: string): Promise<void> {
  const writer = await store.create(id);
  await writer.write(Buffer.alloc(1_000_000));
  onTestFinished(() => writer.abort());
}

async function put(store: FileStore, content: string | Buffer): Promise<string> {
  const id = newOrderedId("file-", Date.now());
  const writer = await store.create(id);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; at += 65_536) await writer.write(bytes.subarray(at, at + 65_536));
    await writer.commit();
  } finally {
    await writer.abort();
  }
  return id;
}

async function listed(store: FileStore): Promise<StoredFile[]> {
  const found: StoredFile[] = [];
  for await (const page of store.list()) found.push(...page);
  return found;
}

/** The behaviour of every store. */
function testFileStore({ open, names }: StoreBackend): void {
  test("a file is read whole and in parts, by every process", async () => {
    const content = Buffer.alloc(300_000, "0123456789");
    const [store, other] = [await open(), await open()];
    const id = await put(store, content);

    expect((await buffer(await other.read(id))).equals(content)).toBe(true);
    const ranges = [
      [0, 1],
      [2, 5],
      [65_530, 200_001],
      [299_999, 300_000],
      [0, 300_000],
      [299_990, 999_999],
    ] as const;
    for (const [start, end] of ranges)
      expect((await buffer(await other.read(id, { start, end }))).equals(content.subarray(start, end))).toBe(
        true,
      );
    for (const range of [
      { start: 5, end: 5 },
      { start: 300_000, end: 300_001 },
    ])
      expect(await text(await store.read(id, range))).toBe("");
  });

  test("an empty file is a file", async () => {
    const store = await open();

    const id = await put(store, "");

    expect(await text(await store.read(id))).toBe("");
    expect(names()).toEqual([id]);
  });

  test("a file counts once it is committed", async () => {
    const store = await open();
    const writer = await store.create("part-1");
    await writer.write(Buffer.alloc(250_000, 1));
    await writer.write(Buffer.alloc(1));

    await expect(store.read("part-1")).rejects.toThrow(MissingFileError);
    expect(await listed(store)).toEqual([]);
    expect(await writer.commit()).toEqual({ bytes: 250_001 });
    await writer.abort();

    expect((await buffer(await store.read("part-1"))).length).toBe(250_001);
    expect(await listed(store)).toEqual([{ id: "part-1", writtenAt: expect.any(Number) }]);
  });

  test("a file that need only survive a crash of the process is there for every process", async () => {
    const [store, other] = [await open(), await open()];
    const writer = await store.create("part-1", { survives: "crash" });
    await writer.write(Buffer.from("kept"));
    expect(await writer.commit()).toEqual({ bytes: 4 });

    expect(await text(await other.read("part-1"))).toBe("kept");
    expect(names()).toEqual(["part-1"]);
  });

  test("an aborted file leaves no bytes, even while it is written", async () => {
    const store = await open();
    const writer = await store.create("file-1");
    await writer.write(Buffer.alloc(250_000));
    const writing = writer.write(Buffer.alloc(600_000)).catch(() => undefined);

    await writer.abort();
    await writing;
    await writer.abort();

    expect(names()).toEqual([]);
    await expect(writer.write(Buffer.alloc(1))).rejects.toThrow();
  });

  test("a file that is written again replaces the first one", async () => {
    const store = await open();
    for (const content of ["first", "second"]) {
      const writer = await store.create("part-1");
      await writer.write(Buffer.from(content));
      await writer.commit();
    }

    expect(await text(await store.read("part-1"))).toBe("second");
    expect(names()).toEqual(["part-1"]);
  });

  test("a deleted file is gone, and a reader reads it to the end", async () => {
    const store = await open();
    const content = Buffer.alloc(300_000, 7);
    const id = await put(store, content);
    const reading = await store.read(id);
    onTestFinished(() => void reading.destroy());

    await store.delete(id);
    await store.delete(id);

    expect(names()).toEqual([]);
    await expect(store.read(id)).rejects.toThrow(MissingFileError);
    expect((await buffer(reading)).equals(content)).toBe(true);
  });

  test.each([
    "../secret",
    "file-../secret",
    "file",
    "",
    "file-",
    "file-a/b",
    "File-a",
    "file-a.part",
    "file-a\n",
    "1-1-file-a.part",
  ])("%j is not an id, and never reaches the store", async (id) => {
    const store = await open();

    for (const use of [store.create(id), store.read(id), store.delete(id)])
      await expect(use).rejects.toThrow("This is not the id of a file.");
  });

  test("ids sort by creation", () => {
    const ids = [1, 1_000, 1_700_000_000_000, 4_000_000_000_000].map((now) => newOrderedId("file-", now));

    expect([...ids].sort()).toEqual(ids);
    expect(ids[2]).toMatch(/^file-[0-9a-f]{32}$/);
  });
}
