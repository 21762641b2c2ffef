import type { Job } from "../jobs/job.js";
import type { Schemas } from "../operations.js";
import type { WebhookSender } from "./webhook-sender.js";

export interface JobEventsOptions {
  readonly sender: Pick<WebhookSender, "webhooks" | "send">;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type JobEvent = Schemas["JobCompletedEvent"] | Schemas["JobFailedEvent"];

/** Sends the end of a job to webhooks. The id is the job's, so a receiver recognises an event that comes twice. */
export function publishJobEnd(job: Job, { sender, now }: JobEventsOptions): void {
  const event = eventOf(job, new Date(now()).toISOString());
  if (event === undefined) return;
  for (const webhook of sender.webhooks)
    if (webhook.events.includes("job")) sender.send(webhook, event, { id: `msg_${job.id}` });
}

function eventOf(job: Job, timestamp: string): JobEvent | undefined {
  const { id, status, operation, model, keyId: key_id, requestId: request_id } = job;
  const data = { id, operation, model, key_id, request_id };
  if (status === "completed")
    return { type: "job.completed", timestamp, data: { ...data, status, error_code: null } };
  if (status === "failed" || status === "cancelled")
    return {
      type: "job.failed",
      timestamp,
      data: { ...data, status, error_code: job.failure?.error.code ?? null },
    };
  return undefined;
}
