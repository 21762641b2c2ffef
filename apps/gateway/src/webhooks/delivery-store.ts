import type { WebhookEvent } from "@model-gateway/domain/webhook";
import type { LeasedWork, WorkItem } from "../work/leased-work.js";

/** An event on its way to one webhook. */
export interface NewDelivery {
  /** The `webhook-id`, the same in every attempt. */
  readonly messageId: string;
  /** Names the receiver; see `webhookNameOf`. */
  readonly webhook: string;
  readonly type: WebhookEvent["type"];
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Until then, an event with this id is not sent to this webhook again, whichever process has added it. */
  readonly onceUntil?: number;
  /** How many events of its type wait for the webhook. One more drops the oldest. Absent: the events are bounded otherwise. */
  readonly waitingMax?: number;
}

export type DroppedDelivery = Pick<NewDelivery, "webhook" | "type">;

export interface StoredDelivery extends NewDelivery, WorkItem {}

/** `dropped`: there was no room for it any more, or the gateway stopped. */
export type DeliveryOutcome = "delivered" | "failed" | "dropped";

/** Deliveries that wait for their receivers. Those of a job's or a batch's end are added in the transaction of the end. */
export interface DeliveryStore extends LeasedWork<StoredDelivery> {
  /** Returns those that have no room any more. One that is being sent stays, whatever comes after it. */
  add(deliveries: readonly NewDelivery[]): Promise<readonly DroppedDelivery[]>;
  /** The delivery has ended, in whatever way. */
  end(id: string, holder: string): Promise<void>;
  /** Lets a delivery rest until a time. */
  delay(id: string, holder: string, until: number): Promise<void>;
}
