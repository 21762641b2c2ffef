import type { Clock } from "../domain/clock.js";

/** One event on its way to one webhook. */
export interface Delivery {
  readonly id: string;
  readonly body: string;
  /** Called once, at the end. `dropped`: there was no room for it any more, or the gateway stopped. */
  readonly onEnd: (outcome: DeliveryOutcome) => void;
}

export type DeliveryOutcome = "delivered" | "failed" | "dropped";

/** Sends a delivery once. Resolves to why it failed, or to undefined if the receiver has it. */
type SendDelivery = (delivery: Delivery, signal: AbortSignal) => Promise<AttemptFailure | undefined>;

export interface AttemptFailure {
  /** A sentence for the log, without the URL: its path may be a secret. */
  readonly reason: string;
  /** Whether the receiver wants no more events. */
  readonly isFinal: boolean;
}

interface DeliveryQueueOptions {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly attempt: SendDelivery;
  /** The most deliveries that wait or are being sent. One more drops the oldest that waits. */
  readonly sizeMax?: number;
  /** Called when a delivery has been dropped, for the first time since there was room. */
  readonly onOverflow: () => void;
  /** Called with each failure after a success, and with undefined for each success after a failure. */
  readonly onChange: (failure: AttemptFailure | undefined) => void;
}

const defaultSizeMax = 1000;
const concurrencyMax = 4;
export const attemptsMax = 8;
const firstDelayMs = 1000;
const delayFactor = 4;
const delayMsMax = 10 * 60_000;
/** Eight attempts take about half an hour, unless they time out or wait for each other. */
export const deliveryAgeMsMax = 60 * 60_000;

/** A delivery that is under way. */
interface Entry {
  readonly delivery: Delivery;
  readonly startedAt: number;
  readonly dropped: AbortController;
  attempts: number;
}

/** The deliveries to one webhook: a few at once, each retried with growing delays. */
export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  /** All of them, in arrival order: those that are ready, those in flight, and those that wait for a retry. */
  readonly #entries = new Set<Entry>();
  readonly #ready = new Set<Entry>();
  readonly #inFlight = new Set<Entry>();
  #isOverflowing = false;
  #isFailing = false;

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(delivery: Delivery): void {
    const { sizeMax = defaultSizeMax, onOverflow, clock } = this.#options;
    const oldest = this.#entries.size < sizeMax ? undefined : this.#oldestWaiting();
    if (oldest === undefined) this.#isOverflowing = false;
    else {
      if (!this.#isOverflowing) onOverflow();
      this.#isOverflowing = true;
      this.#end(oldest, "dropped");
    }
    const entry = { delivery, startedAt: clock.now(), dropped: new AbortController(), attempts: 0 };
    this.#entries.add(entry);
    this.#ready.add(entry);
    this.#sendReady();
  }

  /** Drops deliveries in progress. */
  close(): void {
    for (const entry of [...this.#entries]) this.#end(entry, "dropped");
  }

  /** One in flight is not dropped: a slow receiver would get nothing while events come faster than it replies. */
  #oldestWaiting(): Entry | undefined {
    for (const entry of this.#entries) if (!this.#inFlight.has(entry)) return entry;
    return undefined;
  }

  #sendReady(): void {
    for (const entry of this.#ready) {
      if (this.#inFlight.size >= concurrencyMax) return;
      this.#ready.delete(entry);
      this.#inFlight.add(entry);
      void this.#sendOnce(entry).finally(() => {
        this.#inFlight.delete(entry);
        this.#sendReady();
      });
    }
  }

  async #sendOnce(entry: Entry): Promise<void> {
    entry.attempts += 1;
    const failure = await this.#options.attempt(entry.delivery, entry.dropped.signal);
    if (entry.dropped.signal.aborted) return;
    if ((failure !== undefined) !== this.#isFailing) {
      this.#isFailing = failure !== undefined;
      this.#options.onChange(failure);
    }
    if (failure === undefined) this.#end(entry, "delivered");
    else if (failure.isFinal || !this.#retryLater(entry)) this.#end(entry, "failed");
  }

  /** Returns false if the delivery had its last attempt. */
  #retryLater(entry: Entry): boolean {
    const { clock, random } = this.#options;
    const { attempts, startedAt, dropped } = entry;
    const delayMs = retryDelayMs(attempts, random);
    if (attempts >= attemptsMax || clock.now() + delayMs - startedAt > deliveryAgeMsMax) return false;
    clock.wait(delayMs, dropped.signal).then(
      () => {
        this.#ready.add(entry);
        this.#sendReady();
      },
      // It was dropped meanwhile.
      () => undefined,
    );
    return true;
  }

  #end(entry: Entry, outcome: DeliveryOutcome): void {
    if (!this.#entries.delete(entry)) return;
    this.#ready.delete(entry);
    if (outcome === "dropped") entry.dropped.abort();
    entry.delivery.onEnd(outcome);
  }
}

/** How long to wait after this number of attempts. Random, so that the retries of an outage do not all come at once. */
export function retryDelayMs(attempts: number, random: () => number): number {
  const factor = delayFactor ** (attempts - 1) * (0.75 + random() / 2);
  return Math.min(firstDelayMs * factor, delayMsMax);
}
