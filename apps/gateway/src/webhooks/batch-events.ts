import { hash } from "node:crypto";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Batch } from "../batches/batch.js";
import type { EndedBatch } from "../batches/batch-store.js";
import { type DeliveryPlanOptions, planDeliveries } from "./deliveries.js";
import type { NewDelivery } from "./delivery-store.js";

/** The deliveries of a batch's end. Their `webhook-id` is derived from the batch, so a receiver sees a repetition. */
export function batchEndDeliveries(
  { id: batchId, keyId, keyName }: Pick<Batch, "id" | "keyId" | "keyName">,
  { status, counts, now }: EndedBatch,
  sender: DeliveryPlanOptions["sender"],
): readonly NewDelivery[] {
  return planDeliveries({
    sender,
    kind: "batch",
    at: now,
    eventsFor: ({ url }) => {
      const id = `msg_${hash("sha256", JSON.stringify([url, batchId, status]), "hex").slice(0, 32)}`;
      const event: Schemas["BatchEndedEvent"] = {
        id,
        object: "event",
        type: `batch.${status}`,
        created_at: Math.floor(now / 1000),
        timestamp: new Date(now).toISOString(),
        data: { id: batchId, key_id: keyId, key_name: keyName, request_counts: counts },
      };
      return [{ id, event }];
    },
  });
}
