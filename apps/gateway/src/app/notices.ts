import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { Clock } from "../domain/clock.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import type { Storage } from "../storage/open-storage.js";
import { StoredDeliveries } from "../webhooks/stored-deliveries.js";
import { TargetEvents } from "../webhooks/target-events.js";
import { WebhookSender } from "../webhooks/webhook-sender.js";
import { type EventServiceOptions, openEventService } from "./event-service.js";

interface NoticesOptions extends Pick<EventServiceOptions, "siblings" | "version"> {
  readonly config: Pick<Config, "webhooks">;
  readonly log: Logger;
  readonly secrets: Pick<HideSecrets, "hideInJson">;
  readonly worker: { readonly slot: number; readonly count: number };
}

interface NoticeClocks {
  readonly clock: Clock;
  /** The same, but its waits keep no process alive. */
  readonly background: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: Clock;
}

/** Reports that the gateway sends: webhooks and the event stream. */
export function openNotices(options: NoticesOptions, { clock, background, wallClock }: NoticeClocks) {
  const { config, log, secrets, worker } = options;
  const webhooks = new WebhookSender({
    webhooks: config.webhooks,
    secrets,
    log,
    clock: background,
    timeOfDay: wallClock.now,
    random: Math.random,
  });
  const events = openEventService({ ...options, clock, workers: worker.count });
  const targetEvents = new TargetEvents({
    sender: webhooks,
    onEvent: (event) => events.log.note(event),
    worker: worker.slot,
    now: Date.now,
  });
  return { webhooks, events, targetEvents };
}

interface DeliveriesOptions {
  readonly webhooks: WebhookSender;
  readonly wallClock: Clock;
  readonly log: Logger;
}

/** Delivers the events of jobs and batches, which are stored. */
export function openDeliveries(
  storage: Storage,
  { webhooks, wallClock, log }: DeliveriesOptions,
): StoredDeliveries {
  return new StoredDeliveries({
    store: storage.deliveries,
    sender: webhooks,
    clock: wallClock,
    now: wallClock.now,
    random: Math.random,
    onFailure: (failure) => {
      // While the database is down, one line has said so.
      const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
      log[level]({ err: failure }, "An event could not be read or stored. It is tried again.");
    },
  });
}
