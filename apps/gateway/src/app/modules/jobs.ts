import type { Config } from "@model-gateway/config/config";
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
  open: (needs: Core, settings) => {
    const { storage, files, log } = needs;
    const onFailure = (failure: unknown) => {
      // While the database is down, one line has said so.
      const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
      log[level]({ err: failure }, "A job could not be read or stored. It is tried again.");
    };
    const { service, runner, waits } = openJobs(needs, { ...settings.jobs, onFailure });
    // Older ones belong to no job: a job lives for a day.
    files.sweepKind("job", async () => new Set());
    return {
      services: { jobs: service },
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

type JobOptions = Config["jobs"] & { readonly onFailure: (failure: unknown) => void };

function openJobs(needs: Core, { concurrency, keyJobsMax, jobsMax, inputBytesMax, onFailure }: JobOptions) {
  const { storage, files, images, webhooks, deliveries, wallClock: clock, current } = needs;
  const waits = new JobWaits({ store: storage.jobs, clock, onFailure });
  const noteEnd = (id: string) => {
    waits.notify(id);
    deliveries.wake();
  };
  const shared = {
    store: storage.jobs,
    files: files.store,
    announce: (job: Job) => jobEndDeliveries(job, webhooks),
    now: clock.now,
  };
  const runner = new JobRunner({
    ...shared,
    run: current.runDetached,
    isRefusedForNow,
    onEnd: ({ id }) => noteEnd(id),
    concurrency,
    clock,
    random: Math.random,
    onFailure,
  });
  const limits = { perKeyMax: keyJobsMax, max: jobsMax, inputBytesMax };
  const { idempotency } = images;
  const service = new Jobs({ ...shared, idempotency, waits, limits, onCancelled: noteEnd, runner });
  return { service, runner, waits };
}

async function removeOld({ storage, files }: Core): Promise<void> {
  const inputs = await storage.jobs.deleteExpired();
  await deleteInputs(
    inputs.map((id) => ({ id })),
    files.store,
  );
}
