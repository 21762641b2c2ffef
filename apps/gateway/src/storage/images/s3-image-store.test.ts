import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { GatewayError } from "@model-gateway/domain/errors";
import { type Bucket, openBucket } from "@model-gateway/object-store/open-bucket";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";
import { openS3ImageStore } from "./s3-image-store.js";
import { openUploadSpool } from "./upload-spool.js";

/** The behaviour while the bucket is down. `image-stores.test.ts` covers the rest. */
const ttlMs = 60_000;
const uploads = /^PUT some\/prefix\/images/;
const unavailable = expect.objectContaining({
  code: "image_store_unavailable",
  status: 503,
  retryAfterMs: 1000,
  nothingBilled: true,
});

let clock: number;
let server: S3Server;
let root: string;
let logged: string[];
const stores: ImageStore[] = [];
const buckets: Bucket[] = [];

beforeEach(async () => {
  clock = 1_700_000_000_000;
  logged = [];
  root = mkdtempSync(join(tmpdir(), "s3-images-"));
  server = await S3Server.start();
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  await Promise.all(buckets.splice(0).map((bucket) => bucket.close()));
  await server.stop();
  rmSync(root, { recursive: true });
});

/** A replica with a new disk, or with a stopped replica's disk. */
async function openReplica(disk: string, { bytesMax = 1000 } = {}): Promise<ImageStore> {
  const log = pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const now = () => clock;
  const bucket = openBucket(server.settings, { signer: server.signer, now, log, limits: { attemptsMax: 1 } });
  buckets.push(bucket);
  const self = { id: 1, isAlive: () => false };
  const spool = await openUploadSpool({ dataDir: join(root, disk), bytesMax, self });
  const store = openS3ImageStore({ objects: bucket.images, spool, ttlMs, now, log, uploadEveryMs: 10 });
  stores.push(store);
  return store;
}
const waiting = (disk: string) => readdirSync(join(root, disk, "image-uploads"));
const contentOf = async (image: StoredImage | undefined) =>
  image === undefined ? undefined : text(image.read());
const uploaded = () => [...server.objects.keys()].filter((key) => key.includes("/images/"));
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (failure: unknown) => failure,
  );

describe("an image that cannot be uploaded", () => {
  test.each(["slow-down", "forbidden", "cut", "full", "garbage"] as const)(
    "because of %s waits on disk, and this replica serves it",
    async (fault) => {
      const store = await openReplica("one");
      server.fail(fault, { concerning: uploads });

      const file = await store.put(Buffer.from("paid for"), "png", "key_a");

      expect(file).toMatch(/^[0-9a-f]{32}\.png$/);
      expect(waiting("one")).toEqual([file]);
      const image = await store.open(file);
      expect(image).toMatchObject({ bytes: 8, format: "png" });
      expect(await contentOf(image)).toBe("paid for");
      const part = await store.open(file);
      expect(await text(part!.read({ start: 0, end: 3 }))).toBe("paid");
    },
  );

  test("is uploaded when the bucket is back, and then every replica serves it", async () => {
    const [one, two] = [await openReplica("one"), await openReplica("two")];
    server.fail("slow-down", { concerning: uploads });
    const file = await one.put(Buffer.from("late"), "png", "key_a");

    // The link is good, and the other replica knows that its image is on the way.
    expect(await rejection(two.open(file))).toEqual(unavailable);
    clock += 1000;
    await expect
      .poll(() => server.requests.filter((request) => uploads.test(request)).length)
      .toBeGreaterThan(1);
    expect(waiting("one")).toEqual([file]);

    server.recover();
    clock += 1000;
    await expect.poll(() => waiting("one")).toEqual([]);
    expect(await contentOf(await two.open(file))).toBe("late");
    expect(await contentOf(await one.open(file))).toBe("late");
    // The line comes after the file has gone.
    await expect.poll(() => logged).toContain("An image that waited on disk was uploaded.");
  });

  test("because the bucket never replies waits on disk as well", async () => {
    const store = await openReplica("one");
    server.fail("stall", { concerning: uploads });

    const file = await store.put(Buffer.from("paid for"), "png", "key_a");

    expect(await contentOf(await store.open(file))).toBe("paid for");
    expect(server.requests.filter((request) => uploads.test(request))).toHaveLength(2);
    server.recover();
  });

  test("ever does not hold up the others", async () => {
    const store = await openReplica("one");
    server.fail("full", { concerning: uploads });
    const refused = await store.put(Buffer.from("first"), "png", "key_a");
    clock += 1000;
    await store.put(Buffer.from("second"), "png", "key_a");
    server.recover();
    server.fail("full", { concerning: new RegExp(`^PUT .*/${refused}$`) });

    // Each try that fails is followed by a longer wait, and there may have been one more than usual.
    const waitingLater = () => {
      clock += 1000;
      return waiting("one");
    };
    await expect.poll(waitingLater).toEqual([refused]);
    expect(uploaded()).toHaveLength(1);
  });

  test("is uploaded after a restart", async () => {
    const crashed = await openReplica("one");
    server.fail("slow-down", { concerning: uploads });
    const file = await crashed.put(Buffer.from("late"), "webp", "key_a");
    server.recover();
    clock += 1000;

    await openReplica("one");
    await expect.poll(() => waiting("one")).toEqual([]);

    expect(uploaded().map((key) => key.split("/").at(-1))).toEqual([file]);
  });

  test("is uploaded though it was spooled during the upload of another", async () => {
    const store = await openReplica("one");
    server.fail("full", { concerning: uploads });
    const files = await Promise.all(
      [1, 2, 3, 4].map((byte) => store.put(Buffer.alloc(10, byte), "png", "key_a")),
    );
    server.recover();
    clock += 1000;

    await expect.poll(() => waiting("one")).toEqual([]);

    expect(
      uploaded()
        .map((key) => key.split("/").at(-1))
        .sort(),
    ).toEqual(files.sort());
  });

  test("is tried once more when the gateway stops", async () => {
    const store = await openReplica("one");
    server.fail("slow-down", { times: 2, concerning: uploads });
    const file = await store.put(Buffer.from("late"), "png", "key_a");
    expect(waiting("one")).toEqual([file]);
    clock += 1000;

    await store.close();

    expect(waiting("one")).toEqual([]);
    expect(uploaded()).toHaveLength(1);
  });

  test("and expires while it waits is removed", async () => {
    const store = await openReplica("one");
    server.fail("slow-down", { times: 2, concerning: uploads });
    const file = await store.put(Buffer.from("late"), "png", "key_a");
    expect(waiting("one")).toEqual([file]);
    clock += ttlMs;

    await store.close();

    expect(waiting("one")).toEqual([]);
    expect(uploaded()).toEqual([]);
  });

  test("and does not fit on disk fails, and the error says that it is billed", async () => {
    const store = await openReplica("one", { bytesMax: 10 });
    server.fail("slow-down", { concerning: uploads });
    const first = await store.put(Buffer.alloc(6), "png", "key_a");

    const failure = await rejection(store.put(Buffer.alloc(5), "png", "key_a"));

    expect(failure).toEqual(
      new GatewayError(
        "image_store_unavailable",
        "The image was created and is billed, but it could not be stored.",
        { headers: { "x-should-retry": "false" } },
      ),
    );
    expect(failure).toMatchObject({ nothingBilled: false, cause: expect.any(AggregateError) });
    expect(waiting("one")).toEqual([first]);
  });
});

describe("whether an image can be stored", () => {
  test("is known without a request after an upload", async () => {
    const store = await openReplica("one");
    await store.put(Buffer.from("image"), "png", "key_a");
    await expect.poll(() => server.requests).toContain("PUT some/prefix/probe");
    server.requests.length = 0;

    await store.checkWritable();

    expect(server.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
  });

  test("is denied while the bucket cannot be reached, and the store opens all the same", async () => {
    await server.stop();
    const store = await openReplica("one");

    expect(await rejection(store.checkWritable())).toEqual(unavailable);
    expect(await rejection(store.open(`${"0".repeat(32)}.png`))).toEqual(unavailable);

    await server.resume();
    clock += 1000;
    await store.checkWritable();
    await store.put(Buffer.from("image"), "png", "key_a");
    expect(uploaded()).toHaveLength(1);
  });

  test("is denied when half of the disk space is used, though a small object could be written", async () => {
    const store = await openReplica("one", { bytesMax: 10 });
    server.fail("full", { concerning: uploads });
    await store.put(Buffer.alloc(5), "png", "key_a");
    clock += 1000;
    await store.checkWritable();

    await store.put(Buffer.alloc(1), "png", "key_a");
    clock += 1000;

    expect(await rejection(store.checkWritable())).toEqual(unavailable);
  });
});

test("files that are not images are ignored, and drafts of dead processes are removed", async () => {
  const name = `${"0".repeat(32)}.png`;
  await openReplica("one");
  writeFileSync(join(root, "one/image-uploads/notes.txt"), "mine");
  writeFileSync(join(root, `one/image-uploads/7-${name}.part`), "half");

  const store = await openReplica("one");
  await store.close();

  expect(waiting("one")).toEqual(["notes.txt"]);
});
