import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import type { ImageOperation } from "@model-gateway/domain/operations";
import type { Page, PageRequest } from "@model-gateway/domain/page";
import { maySee, type RecordOwner, type Viewer } from "@model-gateway/domain/record-owner";
import type { EditImages } from "@model-gateway/domain/requests";
import { scopeId } from "@model-gateway/domain/scope-id";
import { newOrderedId } from "@model-gateway/runtime/new-id";
import { shareLeft } from "@model-gateway/runtime/shared-pool";
import type { FileStore } from "../files/file-store.js";
import type { Idempotency } from "../images/idempotency/idempotency.js";
import type { StoredImages } from "../images/idempotency/response-store.js";
import { isFinal, type Job, type JobRequest, type JobWithRequest } from "./job.js";
import { deleteInputs, storeInputs } from "./job-inputs.js";
import type { AnnounceJob, JobFilter, JobStore } from "./job-store.js";
import type { JobWaits } from "./job-waits.js";

interface JobsOptions {
  readonly store: JobStore;
  readonly files: FileStore;
  /** Stores the responses. */
  readonly idempotency: Pick<Idempotency, "find">;
  readonly waits: JobWaits;
  readonly limits: JobLimits;
  readonly announce: AnnounceJob;
  /** Called with the id of a job that ended without a run. */
  readonly onCancelled: (id: string) => void;
  /** `JobRunner.wake` and `JobRunner.cancel`. */
  readonly runner: { wake(): void; cancel(id: string): void };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface JobLimits {
  /** Jobs of one key that have not ended. */
  readonly perKeyMax: number;
  /** The same for all keys. Each has a share. */
  readonly max: number;
  /** The input images of all jobs that have not ended. Each key has a share. */
  readonly inputBytesMax: number;
}

/** A checked request that becomes a job. */
export interface NewJob extends Omit<JobRequest, "inputs">, RecordOwner {
  readonly operation: ImageOperation;
  readonly model: string;
  readonly requestId: string;
  readonly fingerprint: string;
  /** The caller's. Undefined if it sent none. */
  readonly idempotencyKey: string | undefined;
  readonly images: EditImages | undefined;
  /** Whether its response has links to images, which this gateway may be the only one to serve. */
  readonly hasLinks: boolean;
}

/** As long as responses are stored. */
const jobTtlMs = 24 * 60 * 60_000;
/** A client that looks again after this time sees most jobs end soon after they have. */
export const retryAfterSeconds = 5;
const cancelWaitMs = 5000;

/** Image requests that run without their connection. A job belongs to the key that created it, and to its owner. */
export class Jobs {
  readonly #options: JobsOptions;

  constructor(options: JobsOptions) {
    this.#options = options;
  }

  /** Stores a job, and lets it run. A second request with its Idempotency-Key gets the same job. */
  async create(request: NewJob): Promise<Job> {
    const { store, files, runner, now } = this.#options;
    const createdAt = now();
    const id = newOrderedId("job_", createdAt);
    const { keyId: caller, operation, idempotencyKey, images } = request;
    const scope = scopeId({ caller, operation, key: idempotencyKey ?? id });
    const earlier = idempotencyKey === undefined ? undefined : await this.#findEarlier(scope, request);
    if (earlier !== undefined) return earlier;
    await this.#admit(request);
    const inputs = images === undefined ? [] : await storeInputs(id, images, files);
    try {
      const created = queuedJob(request, { id, scope, createdAt, inputs, site: store.site });
      const { job, isNew } = await store.create(created);
      if (isNew) runner.wake();
      else await deleteInputs(inputs, files);
      refuseConflict(job, request);
      return job;
    } catch (failure) {
      await deleteInputs(inputs, files);
      throw failure;
    }
  }

  /** Throws `job_not_found` for a job that the viewer may not see as for one that does not exist. */
  async find(id: string, viewer: Viewer): Promise<Job> {
    const job = await this.#options.store.find(id);
    if (job === undefined || !maySee(viewer, job) || job.expiresAt <= this.#options.now())
      throw errorOf("job_not_found", { id }, { param: "job" });
    return job;
  }

  /** Waits for the end of a job, and returns it as it is then. */
  async wait(job: Job, wait: { readonly ms: number; readonly signal: AbortSignal }): Promise<Job> {
    if (isFinal(job.status) || wait.ms <= 0) return job;
    await this.#options.waits.until(job, wait);
    return this.find(job.id, job);
  }

  /** The images of a job that is complete. */
  async responseOf({ scope }: Pick<Job, "scope">): Promise<StoredImages | undefined> {
    const stored = await this.#options.idempotency.find(scope);
    return stored !== undefined && "images" in stored.response ? stored.response.images : undefined;
  }

  /** The progress of a job that runs, as JSON. Undefined if there is none. */
  async progressOf({ id, status }: Pick<Job, "id" | "status">): Promise<string | undefined> {
    return status === "in_progress" ? this.#options.store.progressOf(id) : undefined;
  }

  list(filter: JobFilter, page: PageRequest): Promise<Page<Job>> {
    return this.#options.store.list(filter, page);
  }

  /** Cancels a job, and waits a moment for it. */
  async cancel(id: string, viewer: Viewer, signal: AbortSignal): Promise<Job> {
    const { store, files, runner, waits, announce, onCancelled } = this.#options;
    const job = await this.find(id, viewer);
    if (isFinal(job.status)) return job;
    const inputs = await store.inputsOf(id);
    const outcome = await store.cancel(id, announce);
    if (outcome === "cancelled") {
      onCancelled(id);
      // A sweep removes what cannot be deleted here.
      await deleteInputs(inputs, files).catch(() => undefined);
    }
    if (outcome === "marked") {
      runner.cancel(id);
      await waits.until(job, { ms: cancelWaitMs, signal });
    }
    return this.find(id, viewer);
  }

  /** An earlier job with the same Idempotency-Key. Throws if the key belongs to another request. */
  async #findEarlier(scope: string, request: NewJob): Promise<Job | undefined> {
    const { store, idempotency } = this.#options;
    const job = await store.findByScope(scope);
    const earlier = job ?? (await idempotency.find(scope));
    if (earlier !== undefined) refuseConflict(earlier, request);
    return job;
  }

  async #admit({ keyId, images }: NewJob): Promise<void> {
    const { store, limits } = this.#options;
    const { ofKey, all } = await store.countPending(keyId);
    if (ofKey.jobs >= limits.perKeyMax)
      throw tooManyJobs(`This key has ${ofKey.jobs} jobs that have not ended`);
    if (shareLeft({ max: limits.max, used: all.jobs, held: ofKey.jobs }) < 1)
      throw tooManyJobs(
        `The gateway has ${all.jobs} jobs that have not ended, ${ofKey.jobs} of them of this key`,
      );
    if (images === undefined) return;
    const { mask, markup } = images;
    const bytes = [...images.images, mask, markup].reduce((sum, image) => sum + (image?.bytes ?? 0), 0);
    const space = { max: limits.inputBytesMax, used: all.inputBytes, held: ofKey.inputBytes };
    if (bytes > shareLeft(space)) throw tooManyJobs("The gateway has no room for the images of more jobs");
  }
}

type QueuedFields = Pick<JobWithRequest, "id" | "scope" | "createdAt" | "site"> & Pick<JobRequest, "inputs">;

function queuedJob(given: NewJob, { inputs, site, ...fields }: QueuedFields): JobWithRequest {
  const { images: _, idempotencyKey = fields.id, hasLinks, ...job } = given;
  const { body, contentType, bytes, headers, origin, ...rest } = job;
  return {
    ...rest,
    ...fields,
    status: "queued",
    expiresAt: fields.createdAt + jobTtlMs,
    ...((inputs.length > 0 || hasLinks) && { site }),
    request: {
      body,
      contentType,
      bytes,
      origin,
      inputs,
      headers: { ...headers, "idempotency-key": idempotencyKey },
    },
  };
}

function refuseConflict(
  earlier: { readonly fingerprint: string },
  { fingerprint, idempotencyKey }: NewJob,
): void {
  if (earlier.fingerprint === fingerprint) return;
  throw errorOf("idempotency_conflict", { key: idempotencyKey ?? "" });
}

function tooManyJobs(reason: string): GatewayError {
  return new GatewayError("rate_limit_exceeded", `${reason}. Try again later.`, {
    nothingBilled: true,
    retryAfterMs: retryAfterSeconds * 1000,
  });
}
