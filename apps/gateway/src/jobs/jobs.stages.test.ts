import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storageUnavailable } from "@model-gateway/domain/errors";
import { type ImageInput, imageInMemory } from "@model-gateway/domain/image-input";
import { scopeId } from "@model-gateway/domain/scope-id";
import { beforeEach, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import type { FileStore } from "../files/file-store.js";
import type { StoredEntry, StoredImages } from "../images/idempotency/response-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { DatabaseJobStore } from "../storage/jobs/job-store.js";
import type { Job } from "./job.js";
import type { JobStore } from "./job-store.js";
import { JobWaits } from "./job-waits.js";
import { type JobLimits, Jobs, type NewJob } from "./jobs.js";

const dayMs = 86_400_000;
const { signal } = new AbortController();
const png = (text: string) => imageInMemory(Buffer.from(text), "png");
const broken: ImageInput = {
  ...png("bb"),
  stream: () => {
    throw new Error("The upload is gone.");
  },
};

describeDatabaseOfTier("jobs of callers", ({ database }) => {
  let now: number;
  let store: JobStore;
  let files: FileStore;
  let dataDir: string;
  let room: number[];
  let calls: string[];
  let responses: Map<string, StoredEntry>;
  let waits: JobWaits;
  beforeEach(async () => {
    now = 1_787_150_086_000;
    room = [];
    calls = [];
    responses = new Map();
    dataDir = mkdtempSync(join(tmpdir(), "jobs-"));
    const disk = { checkRoom: (bytes: number) => void room.push(bytes) };
    files = await openDiskFileStore({ dataDir, disk, self: { id: 1, isAlive: () => true } });
    store = new DatabaseJobStore(database(), { site: "here", now: () => now });
    waits = new JobWaits({
      store,
      clock: { now: () => now, wait: () => new Promise((resolve) => setTimeout(resolve, 1)) },
      onFailure: () => undefined,
    });
    return () => {
      waits.close();
      rmSync(dataDir, { recursive: true });
    };
  });
  const stored = () => readdirSync(join(dataDir, "files")).sort();
  const openJobs = ({ limits = {}, ...changes }: { limits?: Partial<JobLimits>; store?: JobStore } = {}) =>
    new Jobs({
      store,
      files,
      idempotency: { find: async (scope) => responses.get(scope) },
      waits,
      limits: { perKeyMax: 10, max: 100, inputBytesMax: 1000, ...limits },
      announce: () => [],
      onCancelled: (id) => void calls.push(`cancelled ${id}`),
      runner: {
        wake: () => void calls.push("wake"),
        cancel: (id) => {
          calls.push(`cancel ${id}`);
          // The run of another test's runner: it ends at once.
          void store
            .end(id, "holder", { status: "cancelled", announce: () => [] })
            .then(() => waits.notify(id));
        },
      },
      now: () => now,
      ...changes,
    });
  const requestOf = (changes: Partial<NewJob> = {}): NewJob => ({
    keyId: "key_a",
    owner: undefined,
    operation: "createImage",
    model: "m",
    requestId: "req_1",
    fingerprint: "f",
    idempotencyKey: undefined,
    images: undefined,
    hasLinks: false,
    body: { prompt: "a fox" },
    contentType: "application/json",
    bytes: 20,
    headers: { "x-a": "b" },
    origin: "http://gateway.example",
    ...changes,
  });

  test("a job is stored with its whole request, and runs", async () => {
    const jobs = openJobs();

    const job = await jobs.create(requestOf());

    expect(job).toEqual({
      id: expect.stringMatching(new RegExp(`^job_0${now.toString(16)}[0-9a-f]{20}$`)),
      keyId: "key_a",
      operation: "createImage",
      model: "m",
      status: "queued",
      requestId: "req_1",
      scope: scopeId({ caller: "key_a", operation: "createImage", key: job.id }),
      fingerprint: "f",
      createdAt: now,
      expiresAt: now + dayMs,
    });
    expect(calls).toEqual(["wake"]);
    expect((await store.claim("holder"))?.request).toEqual({
      body: { prompt: "a fox" },
      contentType: "application/json",
      bytes: 20,
      headers: { "x-a": "b", "idempotency-key": job.id },
      origin: "http://gateway.example",
      inputs: [],
    });
  });

  test("the images of an edit are stored with their roles, and the job runs where they are", async () => {
    const images = { images: [png("one"), png("three")], mask: png("mask"), markup: png("m") };

    const job = await openJobs().create(requestOf({ operation: "createImageEdit", images }));

    const name = job.id.replace("_", "-");
    expect(job.site).toBe("here");
    expect(room).toContain(13);
    expect(await store.inputsOf(job.id)).toEqual([
      { id: `${name}-0`, role: "image", format: "png", bytes: 3 },
      { id: `${name}-1`, role: "image", format: "png", bytes: 5 },
      { id: `${name}-2`, role: "mask", format: "png", bytes: 4 },
      { id: `${name}-3`, role: "markup", format: "png", bytes: 1 },
    ]);
    expect(stored()).toEqual([0, 1, 2, 3].map((index) => `${name}-${index}`));
  });

  test("a job whose response has links runs where they work, and any other anywhere", async () => {
    expect((await openJobs().create(requestOf({ hasLinks: true }))).site).toBe("here");
    expect((await openJobs().create(requestOf())).site).toBeUndefined();
  });

  test("images that cannot be stored leave none", async () => {
    const images = { images: [png("one"), broken] };

    await expect(openJobs().create(requestOf({ images }))).rejects.toThrow("The upload is gone.");

    expect(stored()).toEqual([]);
    expect(calls).toEqual([]);
  });

  test("a job that cannot be stored leaves no images", async () => {
    const down = Object.assign(store, {
      create: () => Promise.reject(storageUnavailable(new Error("down"))),
    });
    const jobs = openJobs({ store: down });

    const creating = jobs.create(requestOf({ images: { images: [png("one")] } }));

    await expect(creating).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(stored()).toEqual([]);
  });

  test("a second request with an Idempotency-Key gets the same job, and its images are stored once", async () => {
    const request = requestOf({ idempotencyKey: "once", images: { images: [png("one")] } });
    const jobs = openJobs();
    const job = await jobs.create(request);

    expect(await jobs.create({ ...request, requestId: "req_2" })).toEqual(job);
    // The other request was stored between the look and the insert.
    const late = openJobs({ store: Object.assign(store, { findByScope: async () => undefined }) });
    expect(await late.create({ ...request, requestId: "req_3" })).toEqual(job);

    expect(calls).toEqual(["wake"]);
    expect(stored()).toHaveLength(1);
  });

  test("an Idempotency-Key belongs to one request", async () => {
    const jobs = openJobs();
    const conflict = { code: "idempotency_conflict", message: expect.stringContaining("once") };
    const other = requestOf({ idempotencyKey: "once", fingerprint: "g", images: { images: [png("one")] } });
    await jobs.create(requestOf({ idempotencyKey: "once" }));

    await expect(jobs.create(other)).rejects.toMatchObject(conflict);
    const late = openJobs({ store: Object.assign(store, { findByScope: async () => undefined }) });
    await expect(late.create(other)).rejects.toMatchObject(conflict);
    expect(stored()).toEqual([]);
  });

  test("a stored response without a job is used again, if it is one of the same request", async () => {
    const scope = scopeId({ caller: "key_a", operation: "createImage", key: "once" });
    responses.set(scope, { fingerprint: "f", response: { images: { created: 1, data: [] } } as never });

    await expect(
      openJobs().create(requestOf({ idempotencyKey: "once", fingerprint: "g" })),
    ).rejects.toMatchObject({ code: "idempotency_conflict" });
    expect(await openJobs().create(requestOf({ idempotencyKey: "once" }))).toMatchObject({ scope });
  });

  test("a key has a bounded number of jobs, and leaves room for others", async () => {
    const refused = { code: "rate_limit_exceeded", retryAfterMs: 5000 };
    const two = openJobs({ limits: { perKeyMax: 2 } });
    await two.create(requestOf());
    await two.create(requestOf());

    await expect(two.create(requestOf())).rejects.toMatchObject({
      ...refused,
      message: "This key has 2 jobs that have not ended. Try again later.",
    });
    await expect(openJobs({ limits: { max: 4 } }).create(requestOf())).rejects.toMatchObject({
      ...refused,
      message: "The gateway has 2 jobs that have not ended, 2 of them of this key. Try again later.",
    });
    expect(await openJobs({ limits: { max: 3 } }).create(requestOf({ keyId: "key_b" }))).toMatchObject({
      status: "queued",
    });
  });

  test("the images of a key's jobs leave room for those of others", async () => {
    const jobs = openJobs({ limits: { inputBytesMax: 20 } });
    const images = { images: [png("1234")], mask: png("123"), markup: png("123") };
    await jobs.create(requestOf({ images: { images: [png("12345")] } }));

    await expect(
      jobs.create(requestOf({ images: { ...images, images: [png("12345")] } })),
    ).rejects.toMatchObject({
      code: "rate_limit_exceeded",
      message: "The gateway has no room for the images of more jobs. Try again later.",
    });
    expect(await jobs.create(requestOf({ images }))).toMatchObject({ status: "queued" });
    expect(await jobs.create(requestOf())).toMatchObject({ status: "queued" });
  });

  test("a job is found by its key and by operators, until it expires", async () => {
    const jobs = openJobs();
    const job = await jobs.create(requestOf());
    const missing = { code: "job_not_found" };

    expect(await jobs.find(job.id, { keyId: "key_a" })).toEqual(job);
    expect(await jobs.find(job.id, "operator")).toEqual(job);
    await expect(jobs.find(job.id, { keyId: "key_b" })).rejects.toMatchObject(missing);
    await expect(jobs.find("job_0", "operator")).rejects.toMatchObject(missing);

    now += dayMs - 1;
    expect(await jobs.find(job.id, "operator")).toEqual(job);
    now += 1;
    await expect(jobs.find(job.id, "operator")).rejects.toMatchObject(missing);
  });

  test("a wait ends with the job, and is none for a job that has ended", async () => {
    const jobs = openJobs();
    const job = await jobs.create(requestOf());
    await store.claim("holder");
    expect(await jobs.wait(job, { ms: 0, signal })).toEqual(job);

    const waiting = jobs.wait(job, { ms: 60_000, signal });
    await store.end(job.id, "holder", { status: "completed", announce: () => [] });
    const ended = await waiting;

    expect(ended).toMatchObject({ id: job.id, status: "completed" });
    waits.close();
    expect(await jobs.wait(ended, { ms: 60_000, signal })).toBe(ended);
  });

  test("a queued job is cancelled at once, without its images", async () => {
    const jobs = openJobs();
    const job = await jobs.create(requestOf({ images: { images: [png("one")] } }));

    const cancelled = await jobs.cancel(job.id, { keyId: "key_a" }, signal);

    expect(cancelled).toMatchObject({ id: job.id, status: "cancelled" });
    expect(calls).toEqual(["wake", `cancelled ${job.id}`]);
    expect(stored()).toEqual([]);
    expect(await jobs.cancel(job.id, { keyId: "key_a" }, signal)).toEqual(cancelled);
    expect(calls).toHaveLength(2);
  });

  test("a running job is cancelled by its runner, and the response waits for that", async () => {
    const jobs = openJobs();
    const job = await jobs.create(requestOf({ images: { images: [png("one")] } }));
    await store.claim("holder");

    await expect(jobs.cancel(job.id, { keyId: "key_b" }, signal)).rejects.toMatchObject({
      code: "job_not_found",
    });
    expect(await jobs.cancel(job.id, "operator", signal)).toMatchObject({ status: "cancelled" });
    expect(calls).toEqual(["wake", `cancel ${job.id}`]);
    // Its runner deletes them.
    expect(stored()).toHaveLength(1);
  });

  test("a job has the images of its stored response, and progress while it runs", async () => {
    const jobs = openJobs();
    const job = await jobs.create(requestOf());
    const images = { created: 1, data: [] } as unknown as StoredImages;
    const entry = (response: StoredEntry["response"]) => ({ fingerprint: "f", response });
    const running = { ...job, status: "in_progress" } satisfies Job;
    await store.claim("holder");
    await store.noteProgress(job.id, "holder", "{}");

    expect(await jobs.responseOf(job)).toBeUndefined();
    responses.set(job.scope, entry({ credentials: "none", events: [] }));
    expect(await jobs.responseOf(job)).toBeUndefined();
    responses.set(job.scope, entry({ credentials: "none", images }));
    expect(await jobs.responseOf(job)).toBe(images);
    expect([await jobs.progressOf(running), await jobs.progressOf(job)]).toEqual(["{}", undefined]);
  });
});
