import type { QueueState } from "../work/leased-work.js";
import type { DeliveryStore, DroppedDelivery, NewDelivery, StoredDelivery } from "./delivery-store.js";

interface MemoryDelivery {
  readonly delivery: NewDelivery;
  attempts: number;
  isRunning: boolean;
  /** When it may be sent. */
  readyAt: number;
}

/** Deliveries of this process alone, for the time that the database is away. They end with the process. */
export class MemoryDeliveries implements DeliveryStore {
  readonly #now: () => number;
  /** In the order of their arrival. */
  readonly #entries = new Map<string, MemoryDelivery>();

  constructor({ now }: { readonly now: () => number }) {
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  async add(deliveries: readonly NewDelivery[]): Promise<readonly DroppedDelivery[]> {
    return deliveries.flatMap((delivery) => {
      this.#entries.set(idOf(delivery), { delivery, attempts: 0, isRunning: false, readyAt: 0 });
      return this.#dropOldest(delivery);
    });
  }

  async inspect(): Promise<QueueState> {
    return { hasQueued: this.#ready().length > 0, hasAbandoned: false };
  }

  /** Of the webhook with the fewest that are being sent, the first one. */
  async claim(): Promise<StoredDelivery | undefined> {
    const entries = [...this.#entries.values()];
    const sending = (webhook: string) =>
      entries.filter(({ delivery, isRunning }) => isRunning && delivery.webhook === webhook).length;
    const [entry] = this.#ready().sort((a, b) => sending(a.delivery.webhook) - sending(b.delivery.webhook));
    if (entry === undefined) return undefined;
    entry.isRunning = true;
    entry.attempts += 1;
    return { ...entry.delivery, id: idOf(entry.delivery), attempts: entry.attempts };
  }

  async renew(): Promise<void> {}

  async recover(): Promise<number> {
    return 0;
  }

  async end(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async delay(id: string, _holder: string, until: number): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    entry.isRunning = false;
    entry.readyAt = until;
  }

  /** Removes all of them. */
  clear(): readonly NewDelivery[] {
    const deliveries = [...this.#entries.values()].map(({ delivery }) => delivery);
    this.#entries.clear();
    return deliveries;
  }

  #ready(): MemoryDelivery[] {
    return [...this.#entries.values()].filter(
      ({ isRunning, readyAt }) => !isRunning && readyAt <= this.#now(),
    );
  }

  #dropOldest({ webhook, type, waitingMax = Number.POSITIVE_INFINITY }: NewDelivery): readonly NewDelivery[] {
    const waiting = [...this.#entries].filter(
      ([, { delivery, isRunning }]) => !isRunning && delivery.webhook === webhook && delivery.type === type,
    );
    const dropped = waiting.slice(0, Math.max(0, waiting.length - waitingMax));
    for (const [id] of dropped) this.#entries.delete(id);
    return dropped.map(([, { delivery }]) => delivery);
  }
}

function idOf({ messageId, webhook }: NewDelivery): string {
  return `${messageId}:${webhook}`;
}
