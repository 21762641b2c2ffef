import { type Bucket, openBucket } from "@model-gateway/object-store/open-bucket";
import { S3Server } from "@model-gateway/object-store/test/s3-server";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describePostgres } from "../../../test/servers/describe-databases.js";
import { Idempotency, type IdempotentRequest } from "../../images/idempotency/idempotency.js";
import type { ResponseStore, StoredEntry, StoredResponse } from "../../images/idempotency/response-store.js";
import { openDatabaseResponseStore } from "./database-response-store.js";

const idOf = (number: number) => number.toString(16).padStart(64, "0");
const responseOf = (image: string): StoredResponse => ({
  images: { created: 1, data: [{ b64_json: Buffer.from(image) }] },
  credentials: "none",
});
const entryOf = (image: string): StoredEntry => ({ fingerprint: "cat", response: responseOf(image) });
const large = "A".repeat(20_000);
const request: IdempotentRequest = {
  caller: "alice",
  operation: "createImage",
  key: "order-1",
  fingerprint: "cat",
  signal: new AbortController().signal,
};

/** The location of response bytes, and the behaviour while the bucket is down. */
describePostgres("the content of responses", ({ database }) => {
  let server: S3Server;
  let clock: number;
  let failures: unknown[];
  const buckets: Bucket[] = [];
  const stores: ResponseStore[] = [];

  beforeEach(async () => {
    server = await S3Server.start();
    clock = 1_787_150_086_123;
    failures = [];
  });
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(buckets.splice(0).map((bucket) => bucket.close()));
    await server.stop();
  });

  const onFailure = (failure: unknown) => failures.push(failure);
  async function openReplica(): Promise<ResponseStore> {
    const now = () => clock;
    const log = pino({ level: "silent" });
    const bucket = openBucket(server.settings, {
      signer: server.signer,
      now,
      log,
      limits: { attemptsMax: 1 },
    });
    buckets.push(bucket);
    const objects = bucket.responses;
    const store = await openDatabaseResponseStore(database(), {
      bytesMax: 1_000_000,
      now,
      onFailure,
      objects,
    });
    stores.push(store);
    return store;
  }
  const keys = () => [...server.objects.keys()].filter((key) => key.includes("/responses/"));
  const rows = () => database().kysely.selectFrom("stored_responses").selectAll().execute();

  test("a small response is in the database, and needs no bucket", async () => {
    const store = await openReplica();
    await server.stop();

    await store.write(idOf(1), entryOf("AAAA"));

    expect(await store.read(idOf(1))).toEqual(entryOf("AAAA"));
    expect(failures).toEqual([]);
  });

  test("a large response is in the bucket, and another replica reads it", async () => {
    const [one, two] = [await openReplica(), await openReplica()];

    await one.write(idOf(1), entryOf(large));

    expect(await two.read(idOf(1))).toEqual(entryOf(large));
    expect(keys()).toEqual([
      expect.stringMatching(/^some\/prefix\/responses\/2026-08-20T14\/[0-9a-f]{32}\.json$/),
    ]);
    const [row] = await rows();
    expect(row?.content.length).toBeLessThan(64);
  });

  test.each(["slow-down", "forbidden", "cut"] as const)(
    "a large response stays in the database if the bucket does not take it: %s",
    async (fault) => {
      const store = await openReplica();
      server.fail(fault);

      await store.write(idOf(1), entryOf(large));

      expect(await store.read(idOf(1))).toEqual(entryOf(large));
      expect(failures).toEqual([expect.objectContaining({ name: "S3Error" })]);
    },
  );

  test("a response that cannot be read now is not bought again, and is replayed later", async () => {
    const one = new Idempotency(await openReplica(), { onFailure });
    const two = new Idempotency(await openReplica(), { onFailure });
    await one.run(request, async () => responseOf(large));
    const buyAgain = () => expect.fail("It was created twice.");

    await server.stop();
    await expect(two.run(request, buyAgain)).rejects.toMatchObject({
      code: "image_store_unavailable",
      status: 503,
      retryAfterMs: 1000,
    });
    expect(failures).toEqual([]);
    await server.resume();

    expect(await two.run(request, buyAgain)).toEqual({ response: responseOf(large), replayed: true });
  });

  test("a response that is stored between read and lock, and cannot be read, is not bought again", async () => {
    const one = new Idempotency(await openReplica(), { onFailure });
    const store = await openReplica();
    const two = new Idempotency(store, { onFailure });
    await one.run(request, async () => responseOf(large));
    vi.spyOn(store, "read").mockImplementationOnce(async () => undefined);
    server.fail("slow-down");

    await expect(two.run(request, () => expect.fail("It was created twice."))).rejects.toMatchObject({
      code: "image_store_unavailable",
    });

    expect(await database().kysely.selectFrom("leases").selectAll().execute()).toEqual([]);
    expect(failures).toEqual([]);
  });

  test("a response whose object is gone counts as lost", async () => {
    const store = await openReplica();
    await store.write(idOf(1), entryOf(large));
    server.objects.clear();

    expect(await store.read(idOf(1))).toBeUndefined();
    expect(await store.lock(idOf(1), "cat")).toEqual({ kind: "lost" });
    expect(failures).toEqual([new Error(`The stored response ${idOf(1)} is damaged and counts as lost.`)]);
  });

  test("the second response with one id is not stored, and leaves no object", async () => {
    const store = await openReplica();
    await store.write(idOf(1), entryOf(large));

    await store.write(idOf(1), entryOf(`${large}B`));

    expect(await store.read(idOf(1))).toEqual(entryOf(large));
    expect(keys()).toHaveLength(1);
  });

  test("a sweep deletes expired objects, including those without a row", async () => {
    const store = await openReplica();
    await store.write(idOf(1), entryOf(large));
    await database().kysely.deleteFrom("stored_responses").execute();
    clock += 24 * 60 * 60_000 + 1000;

    await store.sweep();

    expect(keys()).toEqual([]);
  });

  test("a bucket that is down delays no start", async () => {
    server.fail("stall");

    const store = await openReplica();

    expect(await store.read(idOf(1))).toBeUndefined();
    expect(server.requests).toEqual([]);
  });
});
