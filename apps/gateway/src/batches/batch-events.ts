import { hash } from "node:crypto";
import type { Schemas } from "../operations.js";
import type { WebhookSender } from "../webhooks/webhook-sender.js";
import type { Batch } from "./batch.js";
import type { EndedBatch } from "./batch-store.js";

/** Sends the end of a batch to webhooks. The `webhook-id` is derived from the batch, so a receiver sees a repetition. */
export function sendBatchEnded(
  sender: Pick<WebhookSender, "webhooks" | "send">,
  { id: batchId, keyId, keyName }: Pick<Batch, "id" | "keyId" | "keyName">,
  { status, counts, now }: EndedBatch,
): void {
  for (const webhook of sender.webhooks.filter(({ events }) => events.includes("batch"))) {
    const id = `msg_${hash("sha256", JSON.stringify([webhook.url, batchId, status]), "hex").slice(0, 32)}`;
    const event: Schemas["BatchEndedEvent"] = {
      id,
      object: "event",
      type: `batch.${status}`,
      created_at: Math.floor(now / 1000),
      timestamp: new Date(now).toISOString(),
      data: { id: batchId, key_id: keyId, key_name: keyName, request_counts: counts },
    };
    sender.send(webhook, event, { id });
  }
}
