import type { GatewayError } from "../errors.js";

interface QueueEntry<T> {
  readonly tryAcquire: () => T | undefined;
  readonly admit: (acquired: T) => void;
}

export interface FairQueueOptions {
  /** The most entries that wait. */
  readonly max: number;
  /** The error for an entry that finds the queue full. */
  readonly whenFull: () => GatewayError;
}

/** A bounded queue that is fair between callers: a caller with a thousand requests delays its own, not those of others. */
export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  readonly #entries = new Map<string, QueueEntry<T>[]>();
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Number of entries that would be admitted before this caller's next one, if none came later. */
  placeOf(caller: string): number {
    const own = this.#entries.get(caller)?.length ?? 0;
    let before = own;
    for (const [other, entries] of this.#entries)
      if (other !== caller) before += Math.min(entries.length, own + 1);
    return before;
  }

  /** Resolves at once if there is capacity and the queue is empty. Else waits for it, until the signal aborts. */
  async enter(caller: string, tryAcquire: () => T | undefined, signal: AbortSignal): Promise<T> {
    const acquired = this.#waiting === 0 ? tryAcquire() : undefined;
    if (acquired !== undefined) return acquired;
    if (this.#waiting >= this.#options.max) throw this.#options.whenFull();
    return new Promise<T>((resolve, reject) => {
      const onAbort = () => {
        this.#remove(caller, entry);
        reject(signal.reason);
      };
      const entry: QueueEntry<T> = {
        tryAcquire,
        admit: (acquired) => {
          signal.removeEventListener("abort", onAbort);
          resolve(acquired);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#entries.set(caller, [...(this.#entries.get(caller) ?? []), entry]);
      this.#waiting += 1;
    });
  }

  /** Admits as many entries as there is capacity for, one per caller in turn. */
  wake(): void {
    for (let hasAdmitted = true; hasAdmitted; ) {
      hasAdmitted = false;
      for (const [caller, [first]] of [...this.#entries]) if (this.#admit(caller, first)) hasAdmitted = true;
    }
  }

  /** Admits the first entry that there is capacity for. Returns whether there was one. */
  wakeOne(): boolean {
    for (const [caller, [first]] of this.#entries) if (this.#admit(caller, first)) return true;
    return false;
  }

  #admit(caller: string, first: QueueEntry<T> | undefined): boolean {
    const acquired = first?.tryAcquire();
    if (first === undefined || acquired === undefined) return false;
    this.#remove(caller, first);
    // The caller goes to the end of the round.
    const rest = this.#entries.get(caller);
    if (rest !== undefined && this.#entries.delete(caller)) this.#entries.set(caller, rest);
    first.admit(acquired);
    return true;
  }

  #remove(caller: string, entry: QueueEntry<T>): void {
    const entries = this.#entries.get(caller) ?? [];
    const rest = entries.filter((other) => other !== entry);
    if (rest.length === entries.length) return;
    this.#waiting -= 1;
    if (rest.length === 0) this.#entries.delete(caller);
    else this.#entries.set(caller, rest);
  }
}
