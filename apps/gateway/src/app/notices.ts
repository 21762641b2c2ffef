import type { Clock } from "../domain/clock.js";
import type { Storage } from "../storage/open-storage.js";
import { StoredDeliveries } from "../webhooks/stored-deliveries.js";
import { TargetEvents } from "../webhooks/target-events.js";
import { WebhookSender } from "../webhooks/webhook-sender.js";
import { openEventService } from "./event-service.js";
import type { Services, ServicesOptions } from "./services.js";

interface NoticeClocks {
  readonly clock: Clock;
  /** The same, but its waits keep no process alive. */
  readonly background: Clock;
  /** Milliseconds since 1970. */
  readonly wallClock: Clock;
}

/** Reports that the gateway sends: webhooks and the event stream. */
export function openNotices(options: ServicesOptions, { clock, background, wallClock }: NoticeClocks) {
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

/** Delivers the events of jobs and batches, which are stored. */
export function openDeliveries(
  storage: Storage,
  { webhooks, wallClock, log }: Pick<Services, "webhooks" | "wallClock" | "log">,
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
