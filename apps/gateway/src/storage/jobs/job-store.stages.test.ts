import { lengthByTier } from "@model-gateway/test-suite/tier";
import { beforeEach, describe, expect, test } from "vitest";
import { describeDatabaseOfTier } from "../../../test/servers/describe-databases.js";
import type { Job, JobWithRequest } from "../../jobs/job.js";
import type { JobStore } from "../../jobs/job-store.js";
import { leaseMs } from "../../work/leased-work.js";
import { DatabaseJobStore } from "./job-store.js";

const dayMs = 24 * 60 * 60_000;
/** No webhook wants events. */
const announce = () => [];
let number = 0;
beforeEach(() => {
  number = 0;
});

function createJob(fields: Partial<JobWithRequest> = {}): JobWithRequest {
  number += 1;
  const id = `job_${String(number).padStart(32, "0")}`;
  return {
    id,
    keyId: "key_1",
    operation: "createImage",
    model: "m",
    status: "queued",
    requestId: `req_${number}`,
    scope: `scope ${id}`,
    fingerprint: "f",
    createdAt: 1000 + number,
    expiresAt: 1000 + number + dayMs,
    request: {
      body: { prompt: "a fox\u0000" },
      contentType: "application/json",
      bytes: 20,
      headers: {},
      origin: "http://gateway.example",
      inputs: [],
    },
    ...fields,
  };
}

describeDatabaseOfTier("jobs", ({ database, open }) => {
  let now = 0;
  let store: JobStore;
  beforeEach(() => {
    now = 1_000_000;
    store = new DatabaseJobStore(database(), { site: "here", now: () => now });
  });

  test("a job is found by its id and its scope, without its request", async () => {
    const { request: _request, ...job } = createJob();

    const created = await store.create({ ...job, request: createJob().request });

    expect(created).toEqual({ job, isNew: true });
    expect([await store.find(job.id), await store.findByScope(job.scope)]).toEqual([job, job]);
    expect([await store.find("job_\0"), await store.findByScope("none")]).toEqual([undefined, undefined]);
  });

  test("of two jobs with one scope, the first is stored", async () => {
    const [one, other] = [createJob({ scope: "same" }), createJob({ scope: "same" })];

    const created = await Promise.all([store.create(one), store.create(other)]);

    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(created[0]?.job).toEqual(created[1]?.job);
  });

  test("every end of a job stores its events with it", async () => {
    const jobs = [createJob(), createJob(), createJob()];
    for (const job of jobs) await store.create(job);
    const [ended, abandoned, queued] = jobs.map(({ id }) => id);
    await store.claim("a");
    await store.claim("a");
    const tell = ({ id, status, endedAt = 0 }: Job) => [
      { messageId: id, webhook: "w", type: "job.failed" as const, body: status, createdAt: endedAt },
    ];

    await store.end(ended ?? "", "a", { status: "completed", announce: tell });
    await store.end(ended ?? "", "a", { status: "completed", announce: tell });
    await store.cancel(queued ?? "", tell);
    await store.cancel(abandoned ?? "", tell);
    now += leaseMs;
    await store.cancelAbandoned(tell);

    const stored = await database()
      .kysely.selectFrom("webhook_deliveries")
      .select(["message_id", "body"])
      .orderBy("message_id")
      .execute();
    expect(stored).toEqual([
      { message_id: ended, body: "completed" },
      { message_id: abandoned, body: "cancelled" },
      { message_id: queued, body: "cancelled" },
    ]);
  });

  test("at the start, leases end at once on SQLite, and stay on PostgreSQL", async () => {
    await store.create(createJob());
    await store.claim("dead");

    await store.endLeases();

    const isSqlite = database().kind === "sqlite";
    expect(await store.recover()).toBe(isSqlite ? 1 : 0);
    expect((await store.claim("next")) !== undefined).toBe(isSqlite);
  });

  test("a running job has its latest progress, until it ends or is lost", async () => {
    const [one, lost] = [createJob(), createJob()];
    await store.create(one);
    await store.create(lost);
    await store.claim("a");
    await store.claim("a");
    const both = [one.id, lost.id];

    await store.noteProgress(one.id, "another", "0");
    const before = await store.progressOf(one.id);
    for (const id of both) for (const progress of ["1", "2"]) await store.noteProgress(id, "a", progress);
    const during = await Promise.all(both.map((id) => store.progressOf(id)));
    await store.end(one.id, "a", { status: "completed", announce });
    now += leaseMs;
    await store.recover();
    await store.deleteExpired();
    const after = await Promise.all(both.map((id) => store.progressOf(id)));

    expect([before, during, after]).toEqual([undefined, ["2", "2"], [undefined, undefined]]);
  });

  describe("claims", () => {
    test("the oldest job is claimed once, with its request", async () => {
      const [one, other] = [createJob(), createJob()];
      await store.create(other);
      await store.create(one);
      const again = new DatabaseJobStore(await open(), { site: "here", now: () => now });

      const claimed = await Promise.all([store.claim("a"), again.claim("b"), store.claim("a")]);

      const found = claimed.flatMap((job) => job?.id ?? []);
      expect(found.sort()).toEqual([one.id, other.id]);
      expect(claimed.find((job) => job?.id === one.id)).toEqual({
        ...one,
        status: "in_progress",
        startedAt: now,
        attempts: 1,
      });
    });

    test("a key with many jobs does not delay another key's first", async () => {
      for (let index = 0; index < 4; index += 1) await store.create(createJob({ keyId: "many" }));
      await store.create(createJob({ keyId: "few" }));

      const keys: unknown[] = [];
      for (let index = 0; index < 3; index += 1) keys.push((await store.claim("a"))?.keyId);

      expect(keys).toEqual(["many", "few", "many"]);
    });

    test("a job of another site is left to it, and one of no site runs anywhere", async () => {
      const [there, here, anywhere] = [
        createJob({ site: "there" }),
        createJob({ site: "here" }),
        createJob({ keyId: "other" }),
      ];
      for (const job of [there, here, anywhere]) await store.create(job);
      const other = new DatabaseJobStore(database(), { site: "there", now: () => now });

      const claimed = [await store.claim("a"), await store.claim("a"), await store.claim("a")];

      expect(claimed.map((job) => job?.id)).toEqual([here.id, anywhere.id, undefined]);
      expect(await other.claim("b")).toMatchObject({ id: there.id, site: "there" });
    });

    test("a released job is claimed again when its pause is over", async () => {
      const { id } = createJob();
      await store.create(createJob({ id }));
      await store.claim("a");
      await store.putBack(id, "b", 0);
      expect(await store.claim("a")).toBeUndefined();
      await store.putBack(id, "a", now + 5000);

      expect(await store.recover()).toBe(0);
      expect(await store.claim("a")).toBeUndefined();
      now += 5000;
      expect(await store.recover()).toBe(1);
      // The attempt did not count.
      expect(await store.claim("a")).toMatchObject({ id, startedAt: now - 5000, attempts: 1 });
    });

    test("the job of a process that died is claimed by another one, and the first can no longer end it", async () => {
      const job = createJob();
      await store.create(job);
      await store.claim("dead");
      now += leaseMs - 1;
      await store.renew([job.id], "other");
      expect(await store.recover()).toBe(0);
      now += 1;

      expect(await store.recover()).toBe(1);
      expect(await store.claim("alive")).toMatchObject({ id: job.id });
      expect(await store.end(job.id, "dead", { status: "completed", announce })).toBeUndefined();
      expect(await store.end(job.id, "alive", { status: "completed", announce })).toBeDefined();
    });

    test("a renewed lease keeps the job", async () => {
      const job = createJob();
      await store.create(job);
      await store.claim("a");
      now += leaseMs - 1;
      await store.renew([job.id], "a");
      now += leaseMs - 1;

      expect(await store.recover()).toBe(0);
    });
  });

  test("a job ends once, and keeps nothing of its request", async () => {
    const job = createJob();
    await store.create(job);
    await store.claim("a");
    const error = { message: "no", type: "t", param: null, code: "invalid_value" } as const;
    const failure = { status: 400, error, operatorError: { ...error, message: "…" } };
    now += 7;

    const ended = [
      await store.end(job.id, "a", { status: "failed", failure, announce }),
      await store.end(job.id, "a", { status: "completed", announce }),
    ];

    expect(ended.map((one) => one?.status)).toEqual(["failed", undefined]);
    expect(await store.find(job.id)).toMatchObject({
      status: "failed",
      endedAt: now,
      failure,
    });
    const { request } = await database()
      .kysely.selectFrom("jobs")
      .select("request")
      .executeTakeFirstOrThrow();
    expect(request).toBe("");
  });

  test("a queued job is cancelled, a running one is marked, and one that has ended stays", async () => {
    const [queued, running] = [createJob(), createJob()];
    await store.create(running);
    await store.claim("a");
    await store.create(queued);

    const outcomes = [
      await store.cancel(queued.id, announce),
      await store.cancel(running.id, announce),
      await store.cancel(queued.id, announce),
    ];

    expect(outcomes).toEqual(["cancelled", "marked", "ended"]);
    expect(await store.cancelledAmong([queued.id, running.id, "other"])).toContain(running.id);
    expect(await store.endedAmong([queued.id, running.id, "other"])).toEqual([queued.id, "other"]);
    // Its process dies before it notices.
    now += leaseMs;
    await store.cancelAbandoned(announce);
    expect(await store.recover()).toBe(0);
    expect(await store.find(running.id)).toMatchObject({ status: "cancelled" });
  });

  test("jobs that have not ended are counted, with the bytes of their images", async () => {
    const inputs = [{ id: "job-1-0", role: "image", format: "png", bytes: 70 }] as const;
    const pending = createJob({ request: { ...createJob().request, inputs } });
    await store.create(pending);
    await store.create(createJob({ keyId: "other", request: { ...createJob().request, inputs } }));
    const ended = createJob();
    await store.create(ended);
    await store.cancel(ended.id, announce);

    expect(await store.inputsOf(pending.id)).toEqual(inputs);
    expect(await store.inputsOf(ended.id)).toEqual([]);
    expect(await store.countPending("key_1")).toEqual({
      ofKey: { jobs: 1, inputBytes: 70 },
      all: { jobs: 2, inputBytes: 140 },
    });
    expect(await store.countPending("none")).toEqual({
      ofKey: { jobs: 0, inputBytes: 0 },
      all: { jobs: 2, inputBytes: 140 },
    });
  });

  test("expired jobs are deleted, and their images are named", async () => {
    const inputs = [{ id: "job-1-0", role: "image", format: "png", bytes: 70 }] as const;
    const job = createJob({ expiresAt: now, request: { ...createJob().request, inputs } });
    await store.create(job);
    await store.create(createJob());

    expect(await store.deleteExpired()).toEqual(["job-1-0"]);
    expect(await store.deleteExpired()).toEqual([]);
    expect(await store.find(job.id)).toBeUndefined();
  });

  test("lists are in pages, newest first, by key and status", async () => {
    const jobs = [createJob(), createJob({ keyId: "other" }), createJob(), createJob({ createdAt: 5000 })];
    for (const job of jobs) await store.create(job);
    await store.cancel(jobs[0]?.id ?? "", announce);
    const idsOf = async (...given: Parameters<JobStore["list"]>) =>
      (await store.list(...given)).items.map(({ id }) => jobs.findIndex((job) => job.id === id));

    const first = await store.list({ keyId: "key_1" }, { limit: 2 });

    expect(first.items.map(({ id }) => id)).toEqual([jobs[3]?.id, jobs[2]?.id]);
    expect(await idsOf({ keyId: "key_1" }, { limit: 2, cursor: first.nextCursor ?? "" })).toEqual([0]);
    expect(await idsOf({ status: "cancelled" }, { limit: 9 })).toEqual([0]);
    expect(await idsOf({}, { limit: 9 })).toEqual([3, 2, 1, 0]);
  });

  test("a list of a key has the jobs of its owner, each once, in pages", async () => {
    const jobs = [
      createJob({ owner: "search" }),
      createJob({ keyId: "other", owner: "search" }),
      createJob({ owner: "ads" }),
      createJob({ keyId: "other", owner: "ads" }),
      createJob({ keyId: "third" }),
    ];
    for (const job of jobs) await store.create(job);
    const filter = { keyId: "key_1", owner: "search" };

    const first = await store.list(filter, { limit: 2 });
    const rest = await store.list(filter, { limit: 2, cursor: first.nextCursor ?? "" });
    const alone = await store.list({ keyId: "third" }, { limit: 9 });

    expect([first, rest, alone].map(({ items }) => items.map(({ id }) => id))).toEqual([
      [jobs[2]?.id, jobs[1]?.id],
      [jobs[0]?.id],
      [jobs[4]?.id],
    ]);
  });

  test("thousands of jobs are paged without a gap", async () => {
    const length = lengthByTier({ short: 2500, full: 10_000 });
    const rows = Array.from({ length }, (_, index) => createJob({ createdAt: 1000 + (index % 100) }));
    for (let start = 0; start < rows.length; start += 500)
      await Promise.all(rows.slice(start, start + 500).map((job) => store.create(job)));
    const seen = new Set<string>();

    let cursor: string | undefined;
    do {
      const page = await store.list({ keyId: "key_1" }, { limit: 1000, ...(cursor && { cursor }) });
      for (const { id } of page.items) seen.add(id);
      cursor = page.nextCursor;
    } while (cursor !== undefined);

    expect(seen.size).toBe(length);
  });
});
