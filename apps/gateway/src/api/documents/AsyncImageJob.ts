import type { Schemas } from "@model-gateway/domain/operations";
import type { Job } from "../../jobs/job.js";

const statuses = {
  queued: "pending",
  in_progress: "processing",
  completed: "completed",
  failed: "failed",
  cancelled: "failed",
} as const satisfies Record<Job["status"], Schemas["AsyncImageJob"]["status"]>;

/** A client that has left, in the log of web servers. Bifrost has no cancelled jobs. */
const cancelledStatus = 499;

/** A job in the form of Bifrost's asynchronous API, without its result. */
export function describeAsyncImageJob(job: Job): Schemas["AsyncImageJob"] {
  const { failure, endedAt } = job;
  const isoTime = (at: number) => new Date(at).toISOString();
  const fallback = job.status === "completed" ? 200 : cancelledStatus;
  return {
    id: job.id,
    status: statuses[job.status],
    created_at: isoTime(job.createdAt),
    expires_at: isoTime(job.expiresAt),
    ...(endedAt !== undefined && {
      completed_at: isoTime(endedAt),
      status_code: failure?.status ?? fallback,
    }),
    ...(failure && {
      error: {
        is_bifrost_error: false,
        status_code: failure.status,
        error: failure.error,
      },
    }),
  };
}
