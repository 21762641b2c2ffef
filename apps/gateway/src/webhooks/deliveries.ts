import { hash, randomUUID } from "node:crypto";
import type { Webhook, WebhookEvent } from "@model-gateway/domain/webhook";
import type { Clock } from "@model-gateway/runtime/clock";
import { Worker } from "../work/worker.js";
import type { DeliveryOutcome, DeliveryStore, NewDelivery, StoredDelivery } from "./delivery-store.js";
import { MemoryDeliveries } from "./memory-deliveries.js";
import type { EndedDeliveries, WebhookSender } from "./webhook-sender.js";

interface DeliveriesOptions {
  readonly store: DeliveryStore;
  readonly sender: Pick<WebhookSender, "webhooks" | "attempt" | "noteEnd" | "noteOverflow" | "ended">;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly onFailure: (failure: unknown) => void;
}

export interface WebhookSnapshot {
  /** Deliveries that this process is sending, and those that it keeps in memory. */
  readonly pending: number;
  readonly ended: readonly EndedDeliveries[];
}

/** Attempts at once in one process. Receivers take turns, so a slow one does not hold up another. */
const concurrency = 8;
export const attemptsMax = 8;
const firstDelayMs = 1000;
const delayFactor = 4;
const delayMsMax = 10 * 60_000;
/** A job is deleted after a day, and its event then leads nowhere. */
const ageMsMax = 24 * 60 * 60_000;

/** Delivers events to webhooks, at least once each. All replicas share the queue, and nothing waits for a receiver. */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #holder = randomUUID();
  readonly #memory: MemoryDeliveries;
  readonly #stored: Worker<StoredDelivery>;
  readonly #kept: Worker<StoredDelivery>;
  readonly #closing = new AbortController();
  /** The webhooks for which too many events wait. */
  readonly #overflowing = new Set<string>();

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#memory = new MemoryDeliveries(options);
    this.#stored = this.#workOn(options.store);
    this.#kept = this.#workOn(this.#memory);
  }

  start(): void {
    this.#stored.start();
  }

  /** There is a new delivery. */
  wake(): void {
    this.#stored.wake();
  }

  /** Stores deliveries. Rejects while the database is away. */
  async add(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await this.#addTo(this.#options.store, deliveries);
    this.wake();
  }

  /** Stores deliveries. While the database is away, they are sent from memory. */
  async send(deliveries: readonly NewDelivery[]): Promise<void> {
    try {
      await this.add(deliveries);
    } catch (failure) {
      this.#options.onFailure(failure);
      await this.#addTo(this.#memory, deliveries);
      this.#kept.start();
      this.#kept.wake();
    }
  }

  snapshot(): WebhookSnapshot {
    return { pending: this.#stored.runningCount + this.#memory.size, ended: this.#options.sender.ended };
  }

  /** Attempts in progress are given up. The next process repeats them, except those in memory. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#stored.close(), this.#kept.close()]);
    for (const { webhook, type } of this.#memory.clear()) this.#noteEnd(webhook, type, "dropped");
  }

  #workOn(store: DeliveryStore): Worker<StoredDelivery> {
    return new Worker({
      ...this.#options,
      work: store,
      holder: this.#holder,
      concurrency,
      run: (delivery) => this.#run(delivery, store),
      attemptsMax,
      giveUp: (delivery) => this.#end(delivery, "failed", store),
    });
  }

  async #addTo(store: DeliveryStore, deliveries: readonly NewDelivery[]): Promise<void> {
    const { sender } = this.#options;
    const dropped = await store.add(deliveries);
    for (const { webhook, type } of dropped) this.#noteEnd(webhook, type, "dropped");
    for (const { webhook } of deliveries) {
      const isOverflowing = dropped.some((one) => one.webhook === webhook);
      if (isOverflowing && !this.#overflowing.has(webhook)) sender.noteOverflow(this.#find(webhook));
      if (isOverflowing) this.#overflowing.add(webhook);
      else this.#overflowing.delete(webhook);
    }
  }

  async #run(delivery: StoredDelivery, store: DeliveryStore): Promise<void> {
    const { sender, now, random } = this.#options;
    const { id, attempts, createdAt } = delivery;
    const { signal } = this.#closing;
    const webhook = this.#find(delivery.webhook);
    const isLast = attempts >= attemptsMax || now() - createdAt > ageMsMax;
    // Another replica may know a webhook that is not in this configuration yet.
    const failure = webhook === undefined ? unknownWebhook : await sender.attempt(webhook, delivery, signal);
    if (signal.aborted && failure !== undefined) return store.delay(id, this.#holder, now());
    if (failure !== undefined && !failure.isFinal && !isLast)
      return store.delay(id, this.#holder, now() + retryDelayMs(attempts, random));
    await this.#end(delivery, failure === undefined ? "delivered" : "failed", store);
  }

  async #end(
    { id, webhook, type }: StoredDelivery,
    outcome: DeliveryOutcome,
    store: DeliveryStore,
  ): Promise<void> {
    await store.end(id, this.#holder);
    this.#noteEnd(webhook, type, outcome);
  }

  #noteEnd(webhook: string, type: WebhookEvent["type"], outcome: DeliveryOutcome): void {
    this.#options.sender.noteEnd(this.#find(webhook), type, outcome);
  }

  #find(name: string): Webhook | undefined {
    return this.#options.sender.webhooks.find((one) => webhookNameOf(one) === name);
  }
}

const unknownWebhook = { reason: "No webhook has this address any more.", isFinal: false };

/** How long to wait after this number of attempts. Random, so that the retries of an outage do not all come at once. */
function retryDelayMs(attempts: number, random: () => number): number {
  const factor = delayFactor ** (attempts - 1) * (0.75 + random() / 2);
  return Math.min(firstDelayMs * factor, delayMsMax);
}

/** Names a webhook in the database. Its address may contain a secret, so the name is a digest. */
function webhookNameOf({ url }: Pick<Webhook, "url">): string {
  return hash("sha256", url, "hex").slice(0, 32);
}

/** An event for one webhook. */
interface PlannedEvent {
  readonly id: string;
  readonly event: WebhookEvent;
}

export interface DeliveryPlanOptions extends Pick<NewDelivery, "onceUntil" | "waitingMax"> {
  readonly sender: Pick<WebhookSender, "webhooks" | "bodyOf">;
  readonly kind: Webhook["events"][number];
  readonly eventsFor: (webhook: Webhook) => readonly PlannedEvent[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The deliveries of events to all webhooks that want their kind. */
export function planDeliveries({
  sender,
  kind,
  eventsFor,
  at,
  ...bounds
}: DeliveryPlanOptions): readonly NewDelivery[] {
  return sender.webhooks.flatMap((webhook) => {
    const planned = webhook.events.includes(kind) ? eventsFor(webhook) : [];
    return planned.map(({ id: messageId, event }) => ({
      messageId,
      webhook: webhookNameOf(webhook),
      type: event.type,
      body: sender.bodyOf(event),
      createdAt: at,
      ...bounds,
    }));
  });
}
