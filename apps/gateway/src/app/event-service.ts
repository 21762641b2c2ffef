import { randomUUID } from "node:crypto";
import type { Clock } from "../domain/clock.js";
import type { Siblings } from "../domain/siblings.js";
import { EventFeed } from "../events/event-feed.js";
import { EventLog, type EventReport } from "../events/event-log.js";

/** Events of this worker, and the event stream of all workers. */
export interface EventService {
  readonly log: EventLog;
  readonly feed: EventFeed;
}

export interface EventServiceOptions {
  readonly clock: Clock;
  /** All workers of this gateway, where there are several. */
  readonly siblings?: Siblings | undefined;
  readonly workers: number;
  readonly version: string;
}

export function openEventService({ clock, siblings, workers, version }: EventServiceOptions): EventService {
  const log = new EventLog(randomUUID(), clock.now);
  siblings?.answer("events", () => log.report());
  const gather = async (): Promise<readonly EventReport[]> => {
    if (siblings === undefined) return [log.report()];
    // Workers of the same build have sent them. One that still starts reports nothing.
    const reports = ((await siblings.ask("events")) ?? []) as (EventReport | null | undefined)[];
    return reports.filter((report) => report !== undefined && report !== null);
  };
  const started = { gateway_version: version, workers };
  return { log, feed: new EventFeed({ gather, clock, timeOfDay: Date.now, started }) };
}
