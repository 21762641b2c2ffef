import type { Schemas } from "@model-gateway/domain/operations";

/** Events of one worker. */
type WorkerEvent =
  | Schemas["TargetStateChangedEvent"]
  | Schemas["ConfigurationReloadedEvent"]
  | Schemas["ConfigurationChangedEvent"]
  | Schemas["RequestFinishedEvent"];

/** The latest events of one worker. */
export interface EventReport {
  /** Of each start of a worker another one. */
  readonly source: string;
  readonly entries: readonly EventEntry[];
  /** Number of events dropped since the start. */
  readonly dropped: number;
}

interface EventEntry {
  /** Counted from 1. */
  readonly number: number;
  readonly event: WorkerEvent;
}

const keptMax = 500;
const requestsPerSecondMax = 20;
/**
 * After the last question, events are noted for this long. A feed asks four times a second, but a worker that hangs, or a
 * machine that stalls, delays the next question by seconds: a reader would miss the events in between.
 */
const interestMs = 60_000;

/**
 * The latest events of this worker, for readers on any worker. Without readers nothing is noted: then a finished
 * request costs one comparison.
 */
export class EventLog {
  readonly #source: string;
  readonly #now: () => number;
  #entries: EventEntry[] = [];
  #count = 0;
  #dropped = 0;
  #wantedUntil = 0;
  #second = 0;
  #requestsInSecond = 0;

  /** @param now Milliseconds of the monotonic clock. */
  constructor(source: string, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /** Whether anybody reads events. */
  get isWanted(): boolean {
    return this.#wantedUntil > 0 && this.#now() < this.#wantedUntil;
  }

  note(event: Exclude<WorkerEvent, { type: "request.finished" }>): void {
    if (this.isWanted) this.#keep(event);
  }

  /** @param describe Called only where the event is kept: most requests of a busy gateway are left out. */
  noteRequest(describe: () => Schemas["RequestFinishedEvent"]): void {
    if (!this.isWanted) return;
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) this.#requestsInSecond = 0;
    this.#second = second;
    this.#requestsInSecond += 1;
    if (this.#requestsInSecond > requestsPerSecondMax) this.#dropped += 1;
    else this.#keep(describe());
  }

  /** The events that are kept. A reader that asks again soon misses none. */
  report(): EventReport {
    const wasWanted = this.isWanted;
    this.#wantedUntil = this.#now() + interestMs;
    if (!wasWanted) this.#entries = [];
    return { source: this.#source, entries: [...this.#entries], dropped: this.#dropped };
  }

  #keep(event: WorkerEvent): void {
    this.#count += 1;
    this.#entries.push({ number: this.#count, event });
    if (this.#entries.length <= keptMax) return;
    this.#entries.shift();
  }
}
