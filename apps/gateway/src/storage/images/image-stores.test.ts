import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type Bucket, openBucket } from "@model-gateway/object-store/open-bucket";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ImageStore } from "../../images/delivery/image-store.js";
import { openDiskImageStore } from "./disk-image-store.js";
import { openS3ImageStore } from "./s3-image-store.js";
import { openUploadSpool } from "./upload-spool.js";

/** One suite for every implementation of `ImageStore`. */
const ttlMs = 60_000;
const log = pino({ level: "silent" });

interface StoreBackend {
  /** Each has another id, as another process or replica has. */
  open(options: { readonly id: number; readonly now: () => number }): Promise<ImageStore>;
  /** The names of all stored images, sorted. */
  names(): string[];
}

describe("images on disk", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "images-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  testImageStore({
    open: ({ id, now }) => {
      const self = { id, isAlive: () => true };
      const secret = Buffer.alloc(32, 1);
      return openDiskImageStore({ dataDir, bytesMax: 1_000_000, secret, ttlMs, now, self, log });
    },
    names: () => readdirSync(join(dataDir, "images")).sort(),
  });
});

describe("images in a bucket", () => {
  let server: S3Server;
  const folders: string[] = [];
  const buckets: Bucket[] = [];
  beforeEach(async () => {
    server = await S3Server.start();
  });
  afterEach(async () => {
    await Promise.all(buckets.splice(0).map((bucket) => bucket.close()));
    await server.stop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  testImageStore({
    // Each replica has its own disk.
    open: async ({ id, now }) => {
      const dataDir = mkdtempSync(join(tmpdir(), "images-"));
      folders.push(dataDir);
      const bucket = openBucket(server.settings, { signer: server.signer, now, log });
      buckets.push(bucket);
      const spool = await openUploadSpool({
        dataDir,
        bytesMax: 1_000_000,
        self: { id, isAlive: () => true },
      });
      return openS3ImageStore({ objects: bucket.images, spool, ttlMs, now, log });
    },
    names: () =>
      [...server.objects.keys()]
        .flatMap((key) => (key.includes("/images/") ? (key.split("/").at(-1) ?? []) : []))
        .sort(),
  });
});

function testImageStore({ open, names }: StoreBackend): void {
  let clock: number;
  const opened: ImageStore[] = [];
  beforeEach(() => {
    clock = 1_700_000_000_000;
    return async () => void (await Promise.all(opened.splice(0).map((store) => store.close())));
  });
  async function openStore(): Promise<ImageStore> {
    const store = await open({ id: opened.length + 1, now: () => clock });
    opened.push(store);
    return store;
  }

  test("an image is stored under a random name", async () => {
    const store = await openStore();

    const [first, second] = [
      await store.put(Buffer.from("one"), "png", "key_a"),
      await store.put(Buffer.from("two"), "jpeg", "key_a"),
    ];

    expect(first).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(second).toMatch(/^[0-9a-f]{32}\.jpeg$/);
    expect(first.slice(0, 32)).not.toBe(second.slice(0, 32));
    expect(names()).toEqual([first, second].sort());
  });

  test("an image can be read whole or by range", async () => {
    const store = await openStore();
    const content = Buffer.alloc(300_000, "0123456789");
    const file = await store.put(content, "webp", "key_a");

    const whole = await store.open(file);
    expect(whole).toMatchObject({ bytes: 300_000, format: "webp" });
    expect((await buffer(whole!.read())).equals(content)).toBe(true);

    const ranges: [number, number][] = [
      [2, 5],
      [0, 0],
      [299_999, 299_999],
      [65_530, 200_000],
      [0, 299_999],
    ];
    for (const [start, end] of ranges) {
      const part = await store.open(file);
      expect((await buffer(part!.read({ start, end }))).equals(content.subarray(start, end + 1))).toBe(true);
    }
  });

  test("an image that is removed during a read is read to its end", async () => {
    const store = await openStore();
    const content = Buffer.alloc(300_000, 7);
    const image = await store.open(await store.put(content, "png", "key_a"));

    clock += ttlMs;
    await store.sweep();

    expect(names()).toEqual([]);
    expect((await buffer(image!.read())).equals(content)).toBe(true);
  });

  test("an image can be closed without reading", async () => {
    const store = await openStore();
    const image = await store.open(await store.put(Buffer.alloc(1_000_000), "png", "key_a"));

    await image!.close();

    await expect(async () => buffer(image!.read())).rejects.toThrow();
  });

  test("an image that another process stored is found", async () => {
    const [store, other] = [await openStore(), await openStore()];

    const file = await other.put(Buffer.from("theirs"), "png", "key_a");

    const image = await store.open(file);
    expect(await buffer(image!.read())).toEqual(Buffer.from("theirs"));
  });

  test("an image that does not exist is not found", async () => {
    const store = await openStore();

    for (const name of [
      `${"a".repeat(32)}.png`,
      `${"a".repeat(32)}.json`,
      "../link-secret",
      "",
      `${"A".repeat(32)}.png`,
    ])
      expect(await store.open(name)).toBeUndefined();
  });

  test("a sweep removes expired images and nothing else", async () => {
    const store = await openStore();
    await store.put(Buffer.from("old"), "png", "key_a");
    clock += ttlMs - 1000;
    const young = await store.put(Buffer.from("young"), "png", "key_a");
    await store.sweep();
    expect(names()).toHaveLength(2);

    clock += 1000;
    await store.sweep();

    expect(names()).toEqual([young]);
  });
}
