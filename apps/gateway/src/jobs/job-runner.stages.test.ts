import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { GatewayError } from "@model-gateway/domain/errors";
import { ImageBytes } from "@model-gateway/domain/image-bytes";
import { imageInMemory } from "@model-gateway/domain/image-input";
import type { RequestFailure } from "@model-gateway/domain/request-failure";
import type { PartialImage } from "@model-gateway/domain/requests";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeDatabaseOfTier } from "../../test/servers/describe-databases.js";
import type { DetachedRequest, DetachedResponse } from "../execution/detached-request.js";
import type { FileStore } from "../files/file-store.js";
import { openDiskFileStore } from "../storage/files/disk-file-store.js";
import { DatabaseJobStore } from "../storage/jobs/job-store.js";
import { leaseMs } from "../work/leased-work.js";
import type { Job, JobWithRequest } from "./job.js";
import { storeInputs } from "./job-inputs.js";
import { JobRunner } from "./job-runner.js";
import type { JobStore } from "./job-store.js";

const hourMs = 3_600_000;
const completed: DetachedResponse = { status: 200, headers: {}, body: Buffer.from("{}") };
const refusal = (retryAfterMs?: number) =>
  new GatewayError("rate_limit_exceeded", "Too many requests.", retryAfterMs ? { retryAfterMs } : {});
const failure: RequestFailure = {
  message: "The upstream images.internal has failed.",
  param: "prompt",
  requestedModel: "m",
  attempts: [],
};
const failed = (error: GatewayError): DetachedResponse => ({
  status: 502,
  headers: {},
  body: Buffer.from(JSON.stringify({ error: { message: "It failed.", type: "t", code: "c", param: null } })),
  error,
  failure,
});

describeDatabaseOfTier("the runner of jobs", ({ database }) => {
  let now: number;
  let store: JobStore;
  let files: FileStore;
  let dataDir: string;
  let runs: DetachedRequest[];
  let ended: Job[];
  let failures: unknown[];
  let opened: JobRunner[];
  let look: () => void;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    now = 1_787_150_086_000;
    [runs, ended, failures, opened] = [[], [], [], []];
    dataDir = mkdtempSync(join(tmpdir(), "jobs-"));
    const disk = { checkRoom: () => undefined };
    files = await openDiskFileStore({ dataDir, disk, self: { id: 1, isAlive: () => true } });
    store = new DatabaseJobStore(database(), { site: "here", now: () => now });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.map((runner) => runner.close()));
    rmSync(dataDir, { recursive: true });
  });
  const stored = () => readdirSync(join(dataDir, "files"));
  const find = async () => (await store.list({}, { limit: 1 })).items[0];

  function start(respond: (run: DetachedRequest) => DetachedResponse | Promise<DetachedResponse>): JobRunner {
    const runner = new JobRunner({
      store,
      files,
      run: async (run) => {
        runs.push(run);
        return respond(run);
      },
      isRefusedForNow: ({ code }) => code === "rate_limit_exceeded",
      announce: () => [],
      onEnd: (job) => ended.push(job),
      concurrency: 2,
      clock: {
        now: () => now,
        wait: (_ms, signal) =>
          new Promise((resolve) => {
            look = resolve;
            signal.addEventListener("abort", () => resolve());
          }),
      },
      now: () => now,
      random: () => 0.5,
      onFailure: (reason) => failures.push(reason),
    });
    opened.push(runner);
    runner.start();
    return runner;
  }

  async function addJob(changes: Partial<JobWithRequest> = {}, hasImages = false): Promise<Job> {
    const id = `job_${"0".repeat(32)}`;
    const images = {
      images: [imageInMemory(Buffer.from("one"), "png")],
      mask: imageInMemory(Buffer.from("mask"), "png"),
    };
    const inputs = hasImages ? await storeInputs(id, images, files) : [];
    const { job } = await store.create({
      id,
      keyId: "key_a",
      operation: "createImage",
      model: "m",
      status: "queued",
      requestId: "req_1",
      scope: "scope",
      fingerprint: "f",
      createdAt: now,
      expiresAt: now + 24 * hourMs,
      request: {
        body: { prompt: "a fox" },
        contentType: "application/json",
        bytes: 20,
        headers: { "x-a": "b" },
        origin: "http://gateway.example",
        inputs,
      },
      ...changes,
    });
    return job;
  }

  test("a job runs with its whole request, and ends", async () => {
    const job = await addJob();

    start(() => completed);
    await expect.poll(find).toMatchObject({ status: "completed", endedAt: now });

    expect(runs).toEqual([
      {
        operation: "createImage",
        keyId: "key_a",
        requestId: "req_1",
        jobId: job.id,
        body: { prompt: "a fox" },
        contentType: "application/json",
        bytes: 20,
        images: undefined,
        headers: { "x-a": "b" },
        origin: "http://gateway.example",
        runsAgain: expect.any(Function),
        onPartialImage: expect.any(Function),
        signal: expect.any(AbortSignal),
      },
    ]);
    expect(ended).toEqual([await find()]);
    expect(failures).toEqual([]);
  });

  test("a job has its images while it runs, and they are deleted after it", async () => {
    await addJob({}, true);
    const seen: unknown[] = [];

    start(async ({ images }) => {
      const [image] = images?.images ?? [];
      const mask = images?.mask;
      seen.push(images?.images.length, images?.markup, image?.format, image?.bytes, mask?.bytes);
      seen.push(String(await image?.read()), String(await buffer(mask?.stream() ?? Readable.from([]))));
      const parts = [
        [0, 2],
        [2, 9],
        [4, 1],
        [9, 1],
      ] as const;
      for (const [start, length] of parts)
        seen.push(String(await mask?.inspect((read) => Promise.resolve(read(start, length)))));
      return completed;
    });
    await expect.poll(() => ended).toHaveLength(1);

    expect(seen).toEqual([1, undefined, "png", 3, 4, "one", "mask", "ma", "sk", "", ""]);
    await expect.poll(stored).toEqual([]);
  });

  test("a job that fails has the error of its response, and another message for operators", async () => {
    await addJob();

    start(() => failed(new GatewayError("upstream_error", "It failed.")));
    await expect.poll(find).toMatchObject({ status: "failed" });

    const error = { message: "It failed.", type: "t", code: "c", param: null };
    expect((await find())?.failure).toEqual({
      status: 502,
      error,
      operatorError: { ...error, message: failure.message, param: "prompt" },
    });
  });

  test.each([
    [undefined, 1000],
    [1, 1000],
    [7000, 7000],
    [hourMs, 60_000],
  ])("a job that a limit refused for %s ms runs again after %d ms", async (retryAfterMs, waitMs) => {
    const { id } = await addJob({}, true);
    const releases = vi.spyOn(store, "putBack");
    start((run) => {
      const error = refusal(retryAfterMs);
      return run.runsAgain?.(error) && runs.length === 1 ? failed(error) : completed;
    });
    await expect.poll(find).toMatchObject({ status: "queued" });
    await expect.poll(() => releases.mock.calls).toEqual([[id, expect.any(String), now + waitMs]]);
    // Its images stay, and its end is not announced.
    expect([stored().length, ended]).toEqual([2, []]);

    now += waitMs;
    await expect
      .poll(() => {
        look();
        return find();
      })
      .toMatchObject({ status: "completed" });
    expect(runs).toHaveLength(2);
  });

  test("an hour after its creation, a job that is refused has failed", async () => {
    await addJob();
    now += hourMs;

    start((run) => {
      expect(run.runsAgain?.(refusal())).toBe(false);
      return failed(refusal());
    });

    await expect.poll(find).toMatchObject({ status: "failed" });
  });

  test("a job that brings every process down is given up after eight attempts, and its caller sees why", async () => {
    await addJob({}, true);
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      expect(await store.claim(`process ${attempt}`)).toMatchObject({ attempts: attempt });
      // The process dies.
      now += leaseMs;
      expect(await store.recover()).toBe(1);
    }

    start(() => completed);
    await expect.poll(find).toMatchObject({ status: "failed" });

    const error = {
      message:
        "The gateway began this job 8 times, and stopped each time before its end. It is not tried again. Report the problem with the id of the job.",
      type: "server_error",
      param: null,
      code: "internal_error",
    };
    expect((await find())?.failure).toEqual({ status: 500, error, operatorError: error });
    expect([runs, ended.length, failures]).toEqual([[], 1, []]);
    await expect.poll(stored).toEqual([]);
  });

  test("a job that waits for a limit is not given up, however often it is refused", async () => {
    await addJob();
    start((run) => (runs.length < 20 && run.runsAgain?.(refusal()) ? failed(refusal()) : completed));

    await expect
      .poll(() => {
        now += 1000;
        look();
        return find();
      })
      .toMatchObject({ status: "completed" });
    expect(runs).toHaveLength(20);
  });

  test("only a refusal for now lets a job run again", async () => {
    await addJob();

    start((run) => {
      expect(run.runsAgain?.(new GatewayError("upstream_error", "It failed."))).toBe(false);
      return completed;
    });

    await expect.poll(find).toMatchObject({ status: "completed" });
    expect(failures).toEqual([]);
  });

  const untilAborted = ({ signal }: DetachedRequest) =>
    new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

  test("a job that runs here is cancelled at once, and its images are deleted", async () => {
    const job = await addJob({}, true);
    const runner = start(untilAborted);
    await expect.poll(() => runs).toHaveLength(1);

    runner.cancel("job_of_another_process");
    runner.cancel(job.id);

    await expect.poll(find).toMatchObject({ status: "cancelled" });
    await expect.poll(stored).toEqual([]);
    expect(failures).toEqual([]);
  });

  test("a job that was cancelled through another process is found within two seconds", async () => {
    const job = await addJob();
    start(untilAborted);
    await expect.poll(() => runs).toHaveLength(1);
    await store.cancel(job.id, () => []);

    vi.advanceTimersByTime(2000);

    await expect.poll(find).toMatchObject({ status: "cancelled" });
  });

  test("a database that is down during the look for cancelled jobs is reported", async () => {
    const down = new Error("down");
    store.cancelledAmong = () => Promise.reject(down);
    start(() => completed);

    vi.advanceTimersByTime(2000);

    await expect.poll(() => failures).toEqual([down]);
  });

  test("a run that breaks leaves the job to another process", async () => {
    await addJob({}, true);
    const broken = new Error("broken");

    start(() => Promise.reject(broken));
    await expect.poll(() => failures).toEqual([broken]);

    expect(await find()).toMatchObject({ status: "in_progress" });
    expect([stored().length, ended]).toEqual([2, []]);
  });

  test("a job that has become another process's does not end here", async () => {
    await addJob({}, true);
    const end = store.end.bind(store);
    store.end = (id, _holder, how) => end(id, "another", how);

    const runner = start(() => completed);
    await expect.poll(() => runs).toHaveLength(1);
    await runner.close();

    expect([ended, stored().length]).toEqual([[], 2]);
  });

  test("images that cannot be deleted do not change the end of a job", async () => {
    await addJob({}, true);
    const down = new Error("down");
    vi.spyOn(files, "delete").mockRejectedValue(down);

    start(() => completed);

    await expect.poll(find).toMatchObject({ status: "completed" });
    await expect.poll(() => failures).toEqual([down]);
  });

  test("partial images are the progress of a job that runs", async () => {
    const job = await addJob();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const image: PartialImage = {
      type: "image_generation.partial_image",
      b64_json: ImageBytes.fromBinary(Buffer.from("one")),
      created_at: 1,
      size: "1x1",
      quality: "high",
      background: "opaque",
      output_format: "png",
      partial_image_index: 0,
    };

    start(async (run) => {
      run.onPartialImage?.(image);
      await finished;
      return completed;
    });

    await expect
      .poll(async () => JSON.parse((await store.progressOf(job.id)) ?? "{}"))
      .toMatchObject({ partial_images: 1, partial_image: { b64_json: "b25l" } });
    finish();
  });

  test("a stop waits for the jobs that run, and looks for cancelled ones until then", async () => {
    const job = await addJob();
    const runner = start(untilAborted);
    await expect.poll(() => runs).toHaveLength(1);

    const closing = runner.close();
    await store.cancel(job.id, () => []);
    vi.advanceTimersByTime(2000);
    await closing;

    expect(await find()).toMatchObject({ status: "cancelled" });
    expect(vi.getTimerCount()).toBe(0);
  });
});
