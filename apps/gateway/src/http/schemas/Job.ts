import { errorOf } from "../../errors.js";
import { restoreImages } from "../../images/idempotency/stored-images.js";
import { serializeImages } from "../../images/serialize.js";
import { isFinal, type Job } from "../../jobs/job.js";
import { type Jobs, retryAfterSeconds } from "../../jobs/jobs.js";
import type { Schemas } from "../../operations.js";
import type { ChunkedResponse } from "../handler.js";
import { secondsOf } from "./AccessKey.js";

export interface JobHandlerServices {
  readonly jobs: Jobs;
}

export function describeJob(job: Job): Schemas["Job"] {
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
    error: job.failure?.error ?? null,
  };
}

/** A job that may have a response. */
export interface JobResult {
  readonly job: Job;
  readonly images: Schemas["ImagesResponse"] | undefined;
}

/** Reads the images of a job that is complete. If they are not stored any more, the job counts as failed. */
export async function readResult(job: Job, jobs: Pick<Jobs, "responseOf">): Promise<JobResult> {
  if (job.status !== "completed") return { job, images: undefined };
  const images = await jobs.responseOf(job);
  if (images !== undefined) return { job, images };
  const { status, body, code } = errorOf("idempotency_outcome_unknown", {});
  const failure = { status, error: { ...body.error, code } };
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
export function withImages(
  document: object,
  field: "response" | "result",
  images: Schemas["ImagesResponse"] | undefined,
): Pick<ChunkedResponse, "chunks" | "bytes"> {
  const text = JSON.stringify(document);
  if (images === undefined) return { chunks: [text], bytes: Buffer.byteLength(text) };
  const start = `${text.slice(0, -1)},"${field}":`;
  const { chunks, bytes } = serializeImages(restoreImages(images));
  return { chunks: [start, ...chunks, "}"], bytes: Buffer.byteLength(start) + bytes + 1 };
}

/** Tells a client when to look again, while the job has not ended. */
export function retryHeaders({ status }: Pick<Job, "status">): Readonly<Record<string, string>> {
  return isFinal(status) ? {} : { "retry-after": String(retryAfterSeconds) };
}
