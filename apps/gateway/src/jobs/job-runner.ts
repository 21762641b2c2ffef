import { randomUUID } from "node:crypto";
import { errorTable, type GatewayError } from "@model-gateway/domain/errors";
import type { RequestFailure } from "@model-gateway/domain/request-failure";
import type { Clock } from "@model-gateway/runtime/clock";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { DetachedResponse, RunDetached } from "../execution/detached-request.js";
import type { FileStore } from "../files/file-store.js";
import { Worker } from "../work/worker.js";
import type { ClaimedJob, Job, JobFailure } from "./job.js";
import { deleteInputs, openInputs } from "./job-inputs.js";
import { JobProgress } from "./job-progress.js";
import type { AnnounceJob, JobEnd, JobStore } from "./job-store.js";

interface JobRunnerOptions {
  readonly store: JobStore;
  readonly files: FileStore;
  readonly run: RunDetached;
  /** Whether a limit or a full queue of the gateway refused the job, so that it may run later. */
  readonly isRefusedForNow: (error: GatewayError) => boolean;
  readonly announce: AnnounceJob;
  readonly onEnd: (job: Job) => void;
  readonly concurrency: number;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly random: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** A job waits so long for limits and full queues, from its creation. */
const waitMsMax = 60 * 60_000;
/** How long a refused job waits before it runs again, if the refusal says less or more. */
const againMsMin = 1000;
const againMsMax = 60_000;
/** Interval of looks at running jobs that another process has been asked to cancel. */
const cancelPollMs = 2000;

/** A job that was begun so often without an end brings the process down. A process may also die for other reasons. */
const attemptsMax = 8;

/** Runs jobs: those of this process at once, and those that others left behind. */
export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #holder = randomUUID();
  readonly #worker: Worker<ClaimedJob>;
  readonly #running = new Map<string, AbortController>();
  #cancelPoll: Repetition | undefined;

  constructor(options: JobRunnerOptions) {
    const { store, announce, concurrency, clock, random, onFailure } = options;
    this.#options = options;
    this.#worker = new Worker({
      work: {
        inspect: () => store.inspect(),
        claim: (holder) => store.claim(holder),
        renew: (ids, holder) => store.renew(ids, holder),
        recover: async () => {
          await store.cancelAbandoned(announce);
          return store.recover();
        },
      },
      holder: this.#holder,
      run: (job) => this.#run(job),
      attemptsMax,
      giveUp: (job) => this.#end(job, gaveUp),
      concurrency,
      clock,
      random,
      onFailure,
    });
  }

  start(): void {
    this.#worker.start();
    const { onFailure } = this.#options;
    this.#cancelPoll ??= every(cancelPollMs, () => this.#findCancelled(), { task: "cancel_jobs", onFailure });
  }

  /** There is a new job. */
  wake(): void {
    this.#worker.wake();
  }

  /** Cancels a job that runs here. */
  cancel(id: string): void {
    this.#running.get(id)?.abort(new JobCancelledError());
  }

  /** Takes no more jobs, and resolves when those that run here have ended. */
  async close(): Promise<void> {
    await this.#worker.close();
    await this.#cancelPoll?.stop();
  }

  async #run(job: ClaimedJob): Promise<void> {
    const { store, files, run, now, isRefusedForNow, onFailure } = this.#options;
    const controller = new AbortController();
    this.#running.set(job.id, controller);
    const mayWait = job.createdAt + waitMsMax > now();
    const runsAgain = (error: GatewayError) => mayWait && isRefusedForNow(error);
    const { inputs, ...request } = job.request;
    const { operation, keyId, requestId } = job;
    const progress = new JobProgress({
      write: (text) => store.noteProgress(job.id, this.#holder, text),
      onFailure,
    });
    try {
      const response = await run({
        operation,
        keyId,
        requestId,
        jobId: job.id,
        ...request,
        images: openInputs(inputs, files),
        runsAgain,
        onPartialImage: (image) => progress.add(image),
        signal: controller.signal,
      });
      await progress.close();
      const { error, failure } = response;
      if (error !== undefined && runsAgain(error))
        return await store.putBack(job.id, this.#holder, now() + againMs(error));
      await this.#end(job, failure === undefined ? { status: "completed" } : failed(response, failure));
    } catch (failure) {
      await progress.close();
      if (!(failure instanceof JobCancelledError)) throw failure;
      await this.#end(job, { status: "cancelled" });
    } finally {
      this.#running.delete(job.id);
    }
  }

  async #end(job: ClaimedJob, end: Omit<JobEnd, "announce">): Promise<void> {
    const { store, files, announce, onEnd, onFailure } = this.#options;
    const ended = await store.end(job.id, this.#holder, { ...end, announce });
    if (ended === undefined) return;
    onEnd(ended);
    await deleteInputs(job.request.inputs, files).catch(onFailure);
  }

  async #findCancelled(): Promise<void> {
    for (const id of await this.#options.store.cancelledAmong([...this.#running.keys()])) this.cancel(id);
  }
}

/** The reason of an abort: the caller or an operator has cancelled the job. */
class JobCancelledError extends Error {
  constructor() {
    super("The job was cancelled.");
    this.name = "JobCancelledError";
  }
}

const gaveUpError: JobFailure["error"] = {
  message: `The gateway began this job ${attemptsMax} times, and stopped each time before its end. It is not tried again. Report the problem with the id of the job.`,
  type: errorTable.internal_error.type,
  param: null,
  code: "internal_error",
};
const gaveUp: Omit<JobEnd, "announce"> = {
  status: "failed",
  failure: { status: errorTable.internal_error.status, error: gaveUpError, operatorError: gaveUpError },
};

function againMs({ retryAfterMs = againMsMin }: GatewayError): number {
  return Math.min(againMsMax, Math.max(againMsMin, retryAfterMs));
}

function failed(
  { status, body }: DetachedResponse,
  { message, param }: RequestFailure,
): Omit<JobEnd, "announce"> {
  // The body of an error response, which is written by the gateway alone.
  const { error } = JSON.parse(body.toString()) as Pick<JobFailure, "error">;
  return { status: "failed", failure: { status, error, operatorError: { ...error, message, param } } };
}
