import { isDeepStrictEqual } from "node:util";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Webhook, WebhookEvent } from "@model-gateway/domain/webhook";
import type { Logger } from "pino";
import { Agent } from "undici";
import type { DeliveryOutcome, StoredDelivery } from "./delivery-store.js";
import { type AttemptFailure, postEvent } from "./post-event.js";

export interface WebhookSenderOptions {
  readonly webhooks: readonly Webhook[];
  readonly log: Logger;
  readonly secrets: Pick<HideSecrets, "hideInJson">;
  /** Milliseconds since 1970, for signatures. */
  readonly timeOfDay: () => number;
  readonly timeoutMs?: number;
}

export interface EndedDeliveries {
  readonly event: WebhookEvent["type"];
  readonly outcome: DeliveryOutcome;
  readonly count: number;
}

/** For each receiver: as many as there are attempts at once, since one that waits for a connection grows old. */
const connectionsMax = 8;
const connectMsMax = 5000;

/** Sends events to the webhooks of the configuration, and counts them. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #agent = new Agent({ connections: connectionsMax, connect: { timeout: connectMsMax } });
  /** Those whose last attempt failed. */
  readonly #failing = new WeakSet<Webhook>();
  readonly #ended = new Map<string, number>();
  #webhooks: readonly Webhook[] = [];

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
    this.#webhooks = options.webhooks;
  }

  get webhooks(): readonly Webhook[] {
    return this.#webhooks;
  }

  /** Takes the webhooks of a new configuration. */
  configure(wanted: readonly Webhook[]): void {
    this.#webhooks = wanted.map(
      (webhook) => this.#webhooks.find((one) => isDeepStrictEqual(one, webhook)) ?? webhook,
    );
  }

  /** An event as it is sent. */
  bodyOf(event: WebhookEvent): string {
    return this.#options.secrets.hideInJson(JSON.stringify(event));
  }

  /** Sends a delivery once. Resolves to why the receiver does not have it. */
  async attempt(
    webhook: Webhook,
    delivery: Pick<StoredDelivery, "messageId" | "body">,
    signal: AbortSignal,
  ): Promise<AttemptFailure | undefined> {
    const { timeOfDay, timeoutMs } = this.#options;
    const failure = await postEvent(webhook, delivery, {
      agent: this.#agent,
      signal,
      now: timeOfDay,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
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

  /** Too many events wait for a webhook. */
  noteOverflow(webhook: Webhook | undefined): void {
    const fields = webhook && { webhook: hostOf(webhook) };
    this.#options.log.warn(fields, "Too many events wait for a webhook. The oldest are dropped.");
  }

  /** The deliveries that have ended in this process. */
  get ended(): readonly EndedDeliveries[] {
    return [...this.#ended].map(([key, count]) => {
      // Written above, from these two types.
      const [event, outcome] = key.split(" ") as [WebhookEvent["type"], DeliveryOutcome];
      return { event, outcome, count };
    });
  }

  /** Does not wait for receivers. */
  async close(): Promise<void> {
    await this.#agent.destroy();
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
