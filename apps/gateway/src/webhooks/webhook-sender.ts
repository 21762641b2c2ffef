import { isDeepStrictEqual } from "node:util";
import type { Logger } from "pino";
import { Agent } from "undici";
import type { Clock } from "../domain/clock.js";
import { newId } from "../domain/new-id.js";
import type { Webhook, WebhookEvent } from "../domain/webhook.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import { type AttemptFailure, type Delivery, type DeliveryOutcome, DeliveryQueue } from "./delivery-queue.js";
import type { StoredDelivery } from "./delivery-store.js";
import { postEvent } from "./post-event.js";

export interface WebhookSenderOptions {
  readonly webhooks: readonly Webhook[];
  readonly log: Logger;
  readonly secrets: Pick<HideSecrets, "hideInJson">;
  /** Monotonic: an event must not grow old because the time of day is set. */
  readonly clock: Clock;
  /** Milliseconds since 1970, for signatures. */
  readonly timeOfDay: () => number;
  readonly random: () => number;
  readonly timeoutMs?: number;
  readonly queueSizeMax?: number;
}

export interface WebhookSnapshot {
  /** Deliveries that wait or are being sent. */
  readonly pending: number;
  readonly ended: readonly EndedDeliveries[];
}

interface EndedDeliveries {
  readonly event: WebhookEvent["type"];
  readonly outcome: DeliveryOutcome;
  readonly count: number;
}

export interface SendOptions {
  /** The `webhook-id`. Absent: a random one. */
  readonly id?: string;
  readonly onDelivered?: () => void;
}

const connectionsMax = 4;
const connectMsMax = 5000;

/** Sends events to webhooks in the background. Nothing waits for it. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #agent = new Agent({ connections: connectionsMax, connect: { timeout: connectMsMax } });
  readonly #queues = new Map<Webhook, DeliveryQueue>();
  /** Those whose last attempt at a stored delivery failed. */
  readonly #failing = new WeakSet<Webhook>();
  readonly #ended = new Map<string, number>();
  #webhooks: readonly Webhook[] = [];

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.configure(options.webhooks);
  }

  get webhooks(): readonly Webhook[] {
    return this.#webhooks;
  }

  /** Takes the webhooks of a new configuration. Those that have not changed keep their queues. */
  configure(wanted: readonly Webhook[]): void {
    const known = [...this.#queues];
    const kept = wanted.map((webhook) => known.find(([one]) => isDeepStrictEqual(one, webhook)));
    for (const [webhook, queue] of known) {
      if (kept.some((one) => one?.[0] === webhook)) continue;
      this.#queues.delete(webhook);
      queue.close();
    }
    for (const [index, webhook] of wanted.entries())
      if (kept[index] === undefined) this.#queues.set(webhook, this.#createQueue(webhook));
    this.#webhooks = [...this.#queues.keys()];
  }

  /** Sends an event to one of `webhooks`. */
  send(webhook: Webhook, event: WebhookEvent, { id, onDelivered }: SendOptions = {}): void {
    this.#queues.get(webhook)?.add({
      id: id ?? newId("msg_"),
      body: this.bodyOf(event),
      onEnd: (outcome) => {
        this.noteEnd(webhook, event.type, outcome);
        if (outcome === "delivered") onDelivered?.();
      },
    });
  }

  /** An event as it is sent. */
  bodyOf(event: WebhookEvent): string {
    return this.#options.secrets.hideInJson(JSON.stringify(event));
  }

  /** Sends a stored delivery once. Resolves to why the receiver does not have it. */
  async attempt(
    webhook: Webhook,
    { messageId: id, body }: Pick<StoredDelivery, "messageId" | "body">,
    signal: AbortSignal,
  ): Promise<AttemptFailure | undefined> {
    const failure = await this.#post(webhook, { id, body }, signal);
    if (!signal.aborted && (failure !== undefined) !== this.#failing.has(webhook)) {
      if (failure === undefined) this.#failing.delete(webhook);
      else this.#failing.add(webhook);
      this.#logChange(webhook, failure);
    }
    return failure;
  }

  /** Counts a delivery that has ended. */
  noteEnd(webhook: Webhook | undefined, event: WebhookEvent["type"], outcome: DeliveryOutcome): void {
    const key = `${event} ${outcome}`;
    this.#ended.set(key, (this.#ended.get(key) ?? 0) + 1);
    if (outcome !== "failed") return;
    this.#options.log.error(
      { ...(webhook && { webhook: hostOf(webhook) }), event },
      "An event was not delivered.",
    );
  }

  snapshot(): WebhookSnapshot {
    const ended = [...this.#ended].map(([key, count]) => {
      // Written above, from these two types.
      const [event, outcome] = key.split(" ") as [WebhookEvent["type"], DeliveryOutcome];
      return { event, outcome, count };
    });
    const pending = [...this.#queues.values()].reduce((sum, { size }) => sum + size, 0);
    return { pending, ended };
  }

  /** Does not wait for receivers: deliveries in progress are dropped. */
  async close(): Promise<void> {
    for (const queue of this.#queues.values()) queue.close();
    await this.#agent.destroy();
  }

  #createQueue(webhook: Webhook): DeliveryQueue {
    const { log, clock, random, queueSizeMax } = this.#options;
    return new DeliveryQueue({
      clock,
      random,
      ...(queueSizeMax === undefined ? {} : { sizeMax: queueSizeMax }),
      attempt: (delivery, signal) => this.#post(webhook, delivery, signal),
      onOverflow: () =>
        log.warn({ webhook: hostOf(webhook) }, "Too many events wait for a webhook. The oldest are dropped."),
      onChange: (failure) => this.#logChange(webhook, failure),
    });
  }

  #post(
    webhook: Webhook,
    delivery: Pick<Delivery, "id" | "body">,
    signal: AbortSignal,
  ): Promise<AttemptFailure | undefined> {
    const { timeOfDay, timeoutMs } = this.#options;
    return postEvent(webhook, delivery, {
      agent: this.#agent,
      signal,
      now: timeOfDay,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }

  #logChange(webhook: Webhook, failure: AttemptFailure | undefined): void {
    const { log } = this.#options;
    const fields = { webhook: hostOf(webhook) };
    if (failure === undefined) log.info(fields, "A webhook receives events again.");
    else log.warn({ ...fields, reason: failure.reason }, "A webhook does not receive events.");
  }
}

/** Paths of webhooks often contain a secret, so the log has the host only. */
function hostOf({ url }: Webhook): string {
  return new URL(url).host;
}
