import { GatewayError } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Clock } from "@model-gateway/runtime/clock";
import type { EventReport } from "./event-log.js";

export type GatewayEvent = Exclude<Schemas["GatewayEvent"], { type: "error" }>;

interface EventFeedOptions {
  /** The reports of all workers. */
  readonly gather: () => Promise<readonly EventReport[]>;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly timeOfDay: () => number;
  readonly started: Schemas["StreamStartedEvent"]["data"];
}

interface FeedOptions {
  /** Called every moment. It throws when the reader may read no more. */
  readonly check: () => Promise<void>;
  readonly signal: AbortSignal;
}

const readersMax = 20;
const gatherEveryMs = 250;
/** Number of events that wait for a slow reader. */
const waitingMax = 1000;

interface FeedReader {
  readonly waiting: GatewayEvent[];
  dropped: number;
  /** Whether it gets the events so far, and no more. */
  isEnding: boolean;
}

/** The read position in one worker's events. */
interface FeedPosition {
  readonly number: number;
  readonly dropped: number;
}

/** Passes the events of all workers on to readers on this one. It asks the workers only while there are readers. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #readers = new Set<FeedReader>();
  /** By the source of the report. Undefined without readers. */
  #positions: Map<string, FeedPosition> | undefined;
  #gathering: Promise<void> | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Events from now on. Throws at once if there are too many readers. */
  read(options: FeedOptions): AsyncIterable<GatewayEvent> {
    if (this.#readers.size >= readersMax)
      throw new GatewayError(
        "rate_limit_exceeded",
        `There are ${readersMax} readers of events already. Try again later.`,
        { retryAfterMs: 5000 },
      );
    const reader: FeedReader = { waiting: [], dropped: 0, isEnding: false };
    this.#readers.add(reader);
    // The response may never begin to read.
    options.signal.addEventListener("abort", () => this.#leave(reader), { once: true });
    return this.#eventsOf(reader, options);
  }

  /** Ends all streams, each after the events that have happened so far. */
  end(): void {
    for (const reader of this.#readers) reader.isEnding = true;
  }

  async *#eventsOf(reader: FeedReader, { check, signal }: FeedOptions): AsyncGenerator<GatewayEvent> {
    const { clock, started } = this.#options;
    try {
      await this.#gather();
      yield { type: "stream.started", timestamp: this.#timestamp(), data: started };
      for (;;) {
        const { isEnding } = reader;
        await this.#gather();
        await check();
        for (const event of reader.waiting.splice(0)) yield event;
        if (reader.dropped > 0) yield this.#droppedEvent(reader);
        if (isEnding) return;
        await clock.wait(gatherEveryMs, signal);
      }
    } finally {
      this.#leave(reader);
    }
  }

  #leave(reader: FeedReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#positions = undefined;
  }

  /** Sends new events to all readers. Readers that ask at the same time share one round of questions. */
  #gather(): Promise<void> {
    this.#gathering ??= this.#gatherOnce().finally(() => {
      this.#gathering = undefined;
    });
    return this.#gathering;
  }

  async #gatherOnce(): Promise<void> {
    const reports = await this.#options.gather();
    const before = this.#positions;
    // A worker that did not report in time keeps its position.
    const positions = new Map(before);
    for (const { source, entries, dropped } of reports)
      positions.set(source, { number: entries.at(-1)?.number ?? before?.get(source)?.number ?? 0, dropped });
    this.#positions = positions;
    // Past events are not sent. A worker that was not there before has none.
    if (before === undefined) return;
    const fresh = reports.flatMap(({ source, entries }) =>
      entries.filter(({ number }) => number > (before.get(source)?.number ?? 0)).map(({ event }) => event),
    );
    fresh.sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
    const dropped = reports.reduce(
      (sum, report) => sum + report.dropped - (before.get(report.source)?.dropped ?? 0),
      0,
    );
    for (const reader of this.#readers) deliver(reader, fresh, dropped);
  }

  #droppedEvent(reader: FeedReader): GatewayEvent {
    const { dropped } = reader;
    reader.dropped = 0;
    return { type: "events.dropped", timestamp: this.#timestamp(), data: { dropped } };
  }

  #timestamp(): string {
    return new Date(this.#options.timeOfDay()).toISOString();
  }
}

function deliver(reader: FeedReader, events: readonly GatewayEvent[], dropped: number): void {
  const free = Math.max(0, waitingMax - reader.waiting.length);
  reader.waiting.push(...events.slice(0, free));
  reader.dropped += dropped + Math.max(0, events.length - free);
}
