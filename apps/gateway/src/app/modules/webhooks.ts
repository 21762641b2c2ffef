import { stateMetrics } from "../../telemetry/metrics/state-metrics.js";
import { Deliveries } from "../../webhooks/deliveries.js";
import { TargetEvents } from "../../webhooks/target-events.js";
import { WebhookSender } from "../../webhooks/webhook-sender.js";
import type { Foundation } from "./foundation.js";
import { defineModule } from "./module.js";

/** Delivers events to webhooks, and the state of targets to the event stream as well. */
export const webhooks = defineModule({
  name: "webhooks",
  settings: { reload: ["webhooks"] },
  open: ({ log, secrets, worker, storage, wallClock, events }: Foundation, settings) => {
    const { now } = wallClock;
    const sender = new WebhookSender({ webhooks: settings.webhooks, secrets, log, timeOfDay: now });
    const deliveries = new Deliveries({
      store: storage.deliveries,
      sender,
      clock: wallClock,
      now,
      random: Math.random,
      onFailure: (failure) => {
        // While the database is down, one line has said so.
        const level = storage.availability.state() === "unavailable" ? "debug" : "warn";
        log[level]({ err: failure }, "An event could not be read or stored. It is tried again.");
      },
    });
    const targetEvents = new TargetEvents({
      sender,
      deliveries,
      onEvent: (event) => events.log.note(event),
      worker: worker.slot,
      now: Date.now,
    });
    return {
      services: { webhooks: sender, deliveries, targetEvents },
      metrics: () => stateMetrics({ webhooks: () => deliveries.snapshot() }),
      start: () => deliveries.start(),
      adopt: ({ config }) => sender.configure(config.webhooks),
      close: async () => {
        await deliveries.close();
        await sender.close();
      },
    };
  },
});
