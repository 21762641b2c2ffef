import type { Schemas } from "./operations.js";

/** An operator's URL that receives events. */
export interface Webhook {
  readonly url: string;
  /** The key of the signatures. */
  readonly secret: Buffer;
  readonly events: readonly WebhookSubject[];
  /** The shares of a budget that trigger an alert, in ascending order. 1 is the whole budget. */
  readonly budgetShares: readonly number[];
}

/** Subjects of events. */
type WebhookSubject = "budget" | "target" | "job" | "batch";

export type WebhookEvent =
  | Schemas["BudgetShareReachedEvent"]
  | Schemas["TargetStateChangedEvent"]
  | Schemas["JobCompletedEvent"]
  | Schemas["JobFailedEvent"]
  | Schemas["BatchEndedEvent"];
