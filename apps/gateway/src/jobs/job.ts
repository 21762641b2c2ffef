import type { RasterFormat } from "@model-gateway/domain/image-profile";
import type { ImageOperation, Schemas } from "@model-gateway/domain/operations";
import type { RecordOwner } from "@model-gateway/domain/record-owner";
import type { WorkItem } from "../work/leased-work.js";

/** How a job has ended. */
export type JobOutcome = "completed" | "failed" | "cancelled";
export type JobStatus = "queued" | "in_progress" | JobOutcome;

export function isFinal(status: JobStatus): boolean {
  return status !== "queued" && status !== "in_progress";
}

/** An image request that runs without its connection. */
export interface Job extends RecordOwner {
  readonly id: string;
  readonly operation: ImageOperation;
  /** As requested. */
  readonly model: string;
  readonly status: JobStatus;
  /** The `x-request-id` of the response that created it, and the id of its ledger row. */
  readonly requestId: string;
  /** The id under which its response is stored: that of its Idempotency-Key. */
  readonly scope: string;
  /** Identifies the request by its content; see `images/idempotency/fingerprint.ts`. */
  readonly fingerprint: string;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly startedAt?: number | undefined;
  readonly endedAt?: number | undefined;
  readonly expiresAt: number;
  /** Where it must run, because its images are there. Absent: anywhere. */
  readonly site?: string | undefined;
  /** Present if it failed. */
  readonly failure?: JobFailure | undefined;
}

/** The response of a job that failed. */
export interface JobFailure {
  readonly status: number;
  readonly error: Schemas["Error"];
  /** The same for operators. It quotes no request. */
  readonly operatorError: Schemas["Error"];
}

/** The request of a job, as it is stored: the whole of it, except the bytes of its input images. */
export interface JobRequest {
  readonly body: unknown;
  readonly contentType: "application/json" | "multipart/form-data";
  /** The length of the body. */
  readonly bytes: number;
  /** Those that matter for the run. One is the Idempotency-Key: the caller's, or the id of the job. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address at which the caller reaches the gateway. */
  readonly origin: string;
  readonly inputs: readonly StoredInput[];
}

/** An input image in the store of files. */
export interface StoredInput {
  readonly id: string;
  readonly role: "image" | "mask" | "markup";
  readonly format: RasterFormat;
  readonly bytes: number;
}

/** A job with the request that it runs, under a lease. */
export type ClaimedJob = JobWithRequest & WorkItem;

/** A job with the request that it runs. */
export interface JobWithRequest extends Job {
  readonly request: JobRequest;
}
