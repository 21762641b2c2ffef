import { hash, randomUUID } from "node:crypto";
import type { Clock } from "../domain/clock.js";
import type { Webhook, WebhookEvent } from "../domain/webhook.js";
import { Worker } from "../work/worker.js";
import { attemptsMax, retryDelayMs } from "./delivery-queue.js";
import type { DeliveryStore, NewDelivery, StoredDelivery } from "./delivery-store.js";
import type { WebhookSender } from "./webhook-sender.js";

interface StoredDeliveriesOptions {
  readonly store: DeliveryStore;
  readonly sender: Pick<WebhookSender, "webhooks" | "attempt" | "noteEnd">;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onFailure: (failure: unknown) => void;
}

/** Attempts at once in one process. Receivers take turns, so a slow one does not hold up another. */
const concurrency = 8;
/** A job is deleted after a day, and its event then leads nowhere. */
const ageMsMax = 24 * 60 * 60_000;

/** Delivers events that were stored with the change that they report, at least once each. */
export class StoredDeliveries {
  readonly #options: StoredDeliveriesOptions;
  readonly #holder = randomUUID();
  readonly #worker: Worker<StoredDelivery>;
  readonly #closing = new AbortController();

  constructor(options: StoredDeliveriesOptions) {
    this.#options = options;
    this.#worker = new Worker({
      ...options,
      work: options.store,
      holder: this.#holder,
      concurrency,
      run: (delivery) => this.#run(delivery),
      attemptsMax,
      giveUp: (delivery) => this.#end(delivery, "failed"),
    });
  }

  start(): void {
    this.#worker.start();
  }

  /** There is a new delivery. */
  wake(): void {
    this.#worker.wake();
  }

  /** Attempts in progress are given up. The next process repeats them. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#worker.close();
  }

  async #run(delivery: StoredDelivery): Promise<void> {
    const { store, sender, now, random } = this.#options;
    const { id, webhook: name, attempts, createdAt } = delivery;
    const { signal } = this.#closing;
    const webhook = sender.webhooks.find((one) => webhookNameOf(one) === name);
    const isLast = attempts >= attemptsMax || now() - createdAt > ageMsMax;
    // Another replica may know a webhook that is not in this configuration yet.
    const failure = webhook === undefined ? unknownWebhook : await sender.attempt(webhook, delivery, signal);
    if (signal.aborted && failure !== undefined) return store.delay(id, this.#holder, now());
    if (failure !== undefined && !failure.isFinal && !isLast)
      return store.delay(id, this.#holder, now() + retryDelayMs(attempts, random));
    await this.#end(delivery, failure === undefined ? "delivered" : "failed");
  }

  async #end({ id, webhook: name, type }: StoredDelivery, outcome: "delivered" | "failed"): Promise<void> {
    const { store, sender } = this.#options;
    await store.end(id, this.#holder);
    const webhook = sender.webhooks.find((one) => webhookNameOf(one) === name);
    sender.noteEnd(webhook, type, outcome);
  }
}

const unknownWebhook = { reason: "No webhook has this address any more.", isFinal: false };

/** Names a webhook in the database. Its address may contain a secret, so the name is a digest. */
function webhookNameOf({ url }: Pick<Webhook, "url">): string {
  return hash("sha256", url, "hex").slice(0, 32);
}

/** An event for one webhook. */
interface PlannedEvent {
  readonly id: string;
  readonly event: WebhookEvent;
}

export interface PlanOptions {
  readonly sender: Pick<WebhookSender, "webhooks" | "bodyOf">;
  readonly kind: Webhook["events"][number];
  readonly eventFor: (webhook: Webhook) => PlannedEvent | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The deliveries of an event to all webhooks that want its kind. */
export function planDeliveries({ sender, kind, eventFor, at }: PlanOptions): readonly NewDelivery[] {
  return sender.webhooks.flatMap((webhook) => {
    const planned = webhook.events.includes(kind) ? eventFor(webhook) : undefined;
    if (planned === undefined) return [];
    const { id: messageId, event } = planned;
    const { type } = event;
    return [{ messageId, webhook: webhookNameOf(webhook), type, body: sender.bodyOf(event), createdAt: at }];
  });
}
