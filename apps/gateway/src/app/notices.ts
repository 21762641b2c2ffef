import type { Logger } from "pino";
import type { Config } from "../config/config.js";
import type { Clock } from "../domain/clock.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import type { Storage } from "../storage/open-storage.js";
import { Deliveries } from "../webhooks/deliveries.js";
import { TargetEvents } from "../webhooks/target-events.js";
import { WebhookSender } from "../webhooks/webhook-sender.js";
import { type EventServiceOptions, openEventService } from "./event-service.js";

interface NoticesOptions extends Pick<EventServiceOptions, "siblings" | "version"> {
  readonly config: Pick<Config, "webhooks">;
  readonly log: Logger;
  readonly secrets: Pick<HideSecrets, "hideInJson">;
  readonly worker: { readonly slot: number; readonly count: number };
  readonly storage: Pick<Storage, "deliveries" | "availability">;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: Clock;
}

/** Reports that the gateway sends: webhooks and the event stream. */
export function openNotices(options: NoticesOptions) {
  const { config, log, secrets, worker, storage, clock, wallClock } = options;
  const { now } = wallClock;
  const webhooks = new WebhookSender({ webhooks: config.webhooks, secrets, log, timeOfDay: now });
  const deliveries = new Deliveries({
    store: storage.deliveries,
    sender: webhooks,
    clock: wallClock,
    now,
    random: Math.random,
    onFailure: (failure) => {
      // While the database is down, one line has said so.
      const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
      log[level]({ err: failure }, "An event could not be read or stored. It is tried again.");
    },
  });
  const events = openEventService({ ...options, clock, workers: worker.count });
  const targetEvents = new TargetEvents({
    sender: webhooks,
    deliveries,
    onEvent: (event) => events.log.note(event),
    worker: worker.slot,
    now: Date.now,
  });
  return { webhooks, deliveries, events, targetEvents };
}
