import { isRefusedForNow } from "../../execution/detached-request.js";
import type { Job } from "../../jobs/job.js";
import { deleteInputs } from "../../jobs/job-inputs.js";
import { JobRunner } from "../../jobs/job-runner.js";
import { JobWaits } from "../../jobs/job-waits.js";
import { Jobs } from "../../jobs/jobs.js";
import { jobEndDeliveries } from "../../webhooks/job-events.js";
import type { Core } from "./core.js";
import { defineModule } from "./module.js";

const sweepEveryMs = 5 * 60_000;

/** Image requests that run without their callers. */
export const jobs = defineModule({
  name: "jobs",
  settings: { restart: ["jobs"] },
  open: (needs: Core, { jobs: { concurrency, keyJobsMax, jobsMax, inputBytesMax } }) => {
    const { storage, files, images, webhooks, deliveries, wallClock, log } = needs;
    const { jobs: store } = storage;
    const { now } = wallClock;
    const onFailure = (failure: unknown) => {
      // While the database is down, one line has said so.
      const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
      log[level]({ err: failure }, "A job could not be read or stored. It is tried again.");
    };
    const waits = new JobWaits({ store, clock: wallClock, onFailure });
    const noteEnd = (id: string) => {
      waits.notify(id);
      deliveries.wake();
    };
    const shared = {
      store,
      files: files.store,
      announce: (job: Job) => jobEndDeliveries(job, webhooks),
      now,
    };
    const runner = new JobRunner({
      ...shared,
      run: needs.current.runDetached,
      isRefusedForNow,
      onEnd: ({ id }) => noteEnd(id),
      concurrency,
      clock: wallClock,
      random: Math.random,
      onFailure,
    });
    // Older ones belong to no job: a job lives for a day.
    files.sweepKind("job", async () => new Set());
    const limits = { perKeyMax: keyJobsMax, max: jobsMax, inputBytesMax };
    const { idempotency } = images;
    return {
      services: { jobs: new Jobs({ ...shared, idempotency, waits, limits, onCancelled: noteEnd, runner }) },
      sweeps: [{ task: "remove_old_jobs", everyMs: sweepEveryMs, run: () => removeOld(needs), onFailure }],
      start: () => runner.start(),
      endStreams: () => waits.close(),
      drain: async () => {
        waits.close();
        await runner.close();
      },
      // Those that lost their upstream are stored as failed: whether they were bought is not known.
      close: () => runner.close(),
    };
  },
});

async function removeOld({ storage, files }: Core): Promise<void> {
  const inputs = await storage.jobs.deleteExpired();
  await deleteInputs(
    inputs.map((id) => ({ id })),
    files.store,
  );
}
