import type { WebhookEvent } from "../domain/webhook.js";
import type { LeasedWork } from "../work/leased-work.js";

/** An event on its way to one webhook, as it is stored with the change that it reports. */
export interface NewDelivery {
  /** The `webhook-id`, the same in every attempt. */
  readonly messageId: string;
  /** Names the receiver; see `webhookNameOf`. */
  readonly webhook: string;
  readonly type: WebhookEvent["type"];
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface StoredDelivery extends NewDelivery {
  readonly id: string;
  /** With the present one. */
  readonly attempts: number;
}

/** Deliveries that survive a crash, for all replicas. They are added in the transaction of the change that they report. */
export interface DeliveryStore extends LeasedWork<StoredDelivery> {
  /** The delivery has ended, in whatever way. */
  end(id: string, holder: string): Promise<void>;
  /** Lets a delivery rest until a time. */
  delay(id: string, holder: string, until: number): Promise<void>;
}
