import type { Schemas } from "../operations.js";

/** A URL of the operator that is told of events. */
export interface Webhook {
  readonly url: string;
  /** The key of the signatures. */
  readonly secret: Buffer;
  readonly events: readonly WebhookSubject[];
  /** The shares of a budget that are told, in ascending order. 1 is the whole budget. */
  readonly budgetShares: readonly number[];
}

/** What events are about. */
export type WebhookSubject = "budget" | "target";

export type WebhookEvent = Schemas["BudgetShareReachedEvent"] | Schemas["TargetStateChangedEvent"];
