import type { Schemas } from "@model-gateway/domain/operations";
import type { Job } from "../jobs/job.js";
import { type DeliveryPlanOptions, planDeliveries } from "./deliveries.js";
import type { NewDelivery } from "./delivery-store.js";

type JobEvent = Schemas["JobCompletedEvent"] | Schemas["JobFailedEvent"];

/** The deliveries of a job's end. The id is the job's, so a receiver recognises an event that comes twice. */
export function jobEndDeliveries(job: Job, sender: DeliveryPlanOptions["sender"]): readonly NewDelivery[] {
  const at = job.endedAt ?? job.createdAt;
  const event = eventOf(job, new Date(at).toISOString());
  if (event === undefined) return [];
  return planDeliveries({ sender, kind: "job", at, eventsFor: () => [{ id: `msg_${job.id}`, event }] });
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
