import { errorOf } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import type { ChunkedResponse } from "../../execution/handler.js";
import type { StoredImages } from "../../images/idempotency/response-store.js";
import { restoreImages } from "../../images/idempotency/stored-images.js";
import { serializeImages } from "../../images/serialize.js";
import { isFinal, type Job } from "../../jobs/job.js";
import { type Jobs, retryAfterSeconds } from "../../jobs/jobs.js";
import type { NameKeys } from "../../keys/name-keys.js";
import type { LedgerStore } from "../../usage/ledger/ledger-store.js";
import { secondsOf } from "./AccessKey.js";
import { dollars } from "./ledger-query.js";

export interface JobHandlerServices {
  readonly jobs: Jobs;
  readonly ledger: Pick<LedgerStore, "costsOf">;
  readonly nameKeys: NameKeys;
}

/** Jobs as the spec describes them. Their costs are read in one query. */
export async function describeJobs(
  jobs: readonly Job[],
  { ledger }: Pick<JobHandlerServices, "ledger">,
): Promise<Schemas["Job"][]> {
  const ended = jobs.filter(({ status }) => isFinal(status));
  const costs = await ledger.costsOf(ended.map(({ requestId }) => requestId));
  return jobs.map((job) => describeJob(job, costs.get(job.requestId)));
}

export async function describeOneJob(
  job: Job,
  services: Pick<JobHandlerServices, "ledger">,
): Promise<Schemas["Job"]> {
  const [described] = await describeJobs([job], services);
  return described as Schemas["Job"];
}

/** The same for an operator: with the keys, and without messages that may quote a request. */
export async function describeAdminJobs(
  jobs: readonly Job[],
  services: Omit<JobHandlerServices, "jobs">,
): Promise<Schemas["AdminJob"][]> {
  const [described, labelOf] = await Promise.all([
    describeJobs(jobs, services),
    services.nameKeys(jobs.map(({ keyId }) => keyId)),
  ]);
  return described.map((job, index) => {
    const { name, owner } = labelOf(job.key_id);
    const error = jobs[index]?.failure?.operatorError ?? null;
    return { ...job, error, key_name: name, key_owner: owner };
  });
}

export async function describeAdminJob(
  job: Job,
  services: Omit<JobHandlerServices, "jobs">,
): Promise<Schemas["AdminJob"]> {
  const [described] = await describeAdminJobs([job], services);
  return described as Schemas["AdminJob"];
}

/** @param costNanos Undefined while the request is not recorded. */
export function describeJob(job: Job, costNanos: number | null = null): Schemas["Job"] {
  const neverBegan = job.status === "cancelled" && job.startedAt === undefined;
  return {
    object: "job",
    id: job.id,
    status: job.status,
    operation: job.operation,
    model: job.model,
    key_id: job.keyId,
    request_id: job.requestId,
    created_at: Math.floor(job.createdAt / 1000),
    started_at: secondsOf(job.startedAt),
    completed_at: secondsOf(job.endedAt),
    expires_at: Math.floor(job.expiresAt / 1000),
    cost_usd: neverBegan ? 0 : dollars(costNanos),
    error: job.failure?.error ?? null,
  };
}

/** A job that may have a response. */
interface JobResult {
  readonly job: Job;
  readonly images: StoredImages | undefined;
}

/** Reads the images of a job that is complete. If they are not stored any more, the job counts as failed. */
export async function readResult(job: Job, jobs: Pick<Jobs, "responseOf">): Promise<JobResult> {
  if (job.status !== "completed") return { job, images: undefined };
  const images = await jobs.responseOf(job);
  if (images !== undefined) return { job, images };
  const { status, body, code } = errorOf("idempotency_outcome_unknown", {});
  const error = { ...body.error, code };
  const failure = { status, error, operatorError: error };
  return { job: { ...job, status: "failed", failure }, images };
}

/** A document with the progress of a job as its last field. */
export function withProgress(
  document: object,
  progress: string | undefined,
): Pick<ChunkedResponse, "chunks" | "bytes"> {
  const text = JSON.stringify(document);
  const whole = progress === undefined ? text : `${text.slice(0, -1)},"progress":${progress}}`;
  return { chunks: [whole], bytes: Buffer.byteLength(whole) };
}

/** A document with the images as its last field. It is written in chunks: `JSON.stringify` would look at each letter. */
export async function withImages(
  document: object,
  field: "response" | "result",
  images: StoredImages | undefined,
): Promise<Pick<ChunkedResponse, "chunks" | "bytes">> {
  const text = JSON.stringify(document);
  if (images === undefined) return { chunks: [text], bytes: Buffer.byteLength(text) };
  const start = `${text.slice(0, -1)},"${field}":`;
  const { chunks, bytes } = serializeImages(await inSlices(restoreImages(images), new TimeSlice()));
  return { chunks: [start, ...chunks, "}"], bytes: Buffer.byteLength(start) + bytes + 1 };
}

/** Tells a client when to look again, while the job has not ended. */
export function retryHeaders({ status }: Pick<Job, "status">): Readonly<Record<string, string>> {
  return isFinal(status) ? {} : { "retry-after": String(retryAfterSeconds) };
}
