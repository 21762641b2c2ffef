import { randomUUID } from "node:crypto";
import { EventFeed } from "../../events/event-feed.js";
import { EventLog, type EventReport } from "../../events/event-log.js";
import type { BaseServices } from "./base.js";
import { defineModule } from "./module.js";

/** Events of this worker, and the event stream of all workers. */
interface EventService {
  readonly log: EventLog;
  readonly feed: EventFeed;
}

export const events = defineModule({
  name: "events",
  open: (needs: BaseServices) => {
    const service = openEventService(needs);
    return { services: { events: service }, endStreams: () => service.feed.end() };
  },
});

function openEventService({ clock, siblings, worker, version }: BaseServices): EventService {
  const log = new EventLog(randomUUID(), clock.now);
  siblings?.answer("events", () => log.report());
  const gather = async (): Promise<readonly EventReport[]> => {
    if (siblings === undefined) return [log.report()];
    // Workers of the same build have sent them. One that still starts reports nothing.
    const reports = ((await siblings.ask("events")) ?? []) as (EventReport | null | undefined)[];
    return reports.filter((report) => report !== undefined && report !== null);
  };
  const started = { gateway_version: version, workers: worker.count };
  return { log, feed: new EventFeed({ gather, clock, timeOfDay: Date.now, started }) };
}
