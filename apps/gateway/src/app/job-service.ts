import type { Config } from "../config/config.js";
import { every, type Repetition } from "../domain/every.js";
import { isRefusedForNow, type RunDetached } from "../execution/detached-request.js";
import type { Job } from "../jobs/job.js";
import { deleteInputs } from "../jobs/job-inputs.js";
import { JobRunner } from "../jobs/job-runner.js";
import { JobWaits } from "../jobs/job-waits.js";
import { Jobs } from "../jobs/jobs.js";
import { jobEndDeliveries } from "../webhooks/job-events.js";
import type { Services } from "./services.js";

interface JobService {
  readonly jobs: Jobs;
  /** Runs the jobs in the queue. Call it once there is a pipeline. */
  start(): void;
  /** Ends the waits for jobs. */
  endWaits(): void;
  /** Takes no more jobs. Resolves when those that run here have ended. */
  close(): Promise<void>;
}

interface JobServiceOptions {
  readonly config: Config;
  readonly services: Services;
  readonly runDetached: RunDetached;
}

const sweepEveryMs = 5 * 60_000;

export function openJobService({ config, services, runDetached }: JobServiceOptions): JobService {
  const { storage, log, webhooks, deliveries, wallClock, images, files } = services;
  const { store: fileStore } = files;
  const { jobs: store } = storage;
  const { now } = wallClock;
  const onFailure = (failure: unknown) => {
    // While the database is down, one line has said so.
    const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
    log[level]({ err: failure }, "A job could not be read or stored. It is tried again.");
  };
  const waits = new JobWaits({ store, clock: wallClock, onFailure });
  const announce = (job: Job) => jobEndDeliveries(job, webhooks);
  const noteEnd = (id: string) => {
    waits.notify(id);
    deliveries.wake();
  };
  const runner = new JobRunner({
    store,
    files: fileStore,
    run: runDetached,
    isRefusedForNow,
    announce,
    onEnd: ({ id }) => noteEnd(id),
    concurrency: config.jobs.concurrency,
    clock: wallClock,
    now,
    random: Math.random,
    onFailure,
  });
  const sweep = async () => {
    const inputs = await store.deleteExpired();
    await deleteInputs(
      inputs.map((id) => ({ id })),
      fileStore,
    );
  };
  // Older ones belong to no job: a job lives for a day.
  files.sweepKind("job", async () => new Set());
  let sweeping: Repetition | undefined;
  return {
    jobs: new Jobs({
      store,
      files: fileStore,
      idempotency: images.idempotency,
      waits,
      limits: {
        perKeyMax: config.jobs.keyJobsMax,
        max: config.jobs.jobsMax,
        inputBytesMax: config.jobs.inputBytesMax,
      },
      announce,
      onCancelled: noteEnd,
      runner,
      now,
    }),
    start: () => {
      runner.start();
      sweeping = every(sweepEveryMs, sweep, { task: "remove_old_jobs", onFailure });
    },
    endWaits: () => waits.close(),
    close: async () => {
      void sweeping?.stop();
      waits.close();
      await runner.close();
    },
  };
}
