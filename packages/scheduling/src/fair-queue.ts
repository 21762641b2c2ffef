import type { GatewayError } from "@model-gateway/domain/errors";
import { shareLeft } from "@model-gateway/runtime/shared-pool";

interface QueueEntry<T> {
  readonly tryAcquire: () => T | undefined;
  readonly admit: (acquired: T) => void;
  isWaiting: boolean;
  /** Its neighbours in the line of its caller. */
  before: QueueEntry<T> | undefined;
  after: QueueEntry<T> | undefined;
}

/** The entries of a caller that wait. Linked: a crowd of a thousand is not copied for each that comes or goes. */
interface CallerLine<T> {
  first: QueueEntry<T> | undefined;
  last: QueueEntry<T> | undefined;
  length: number;
}

interface FairQueueOptions {
  /** The most entries that wait. A caller has a share of them. */
  readonly max: number;
  /** The error for an entry that finds the queue, or the share of its caller, full. */
  readonly whenFull: () => GatewayError;
}

/** A bounded queue that is fair between callers: a caller with a thousand requests delays its own, not those of others. */
export class FairQueue<T> {
  readonly #options: FairQueueOptions;
  readonly #lines = new Map<string, CallerLine<T>>();
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether an entry of the caller waits. */
  has(caller: string): boolean {
    return this.#lines.has(caller);
  }

  /** Number of entries that would be admitted before this caller's next one, if none came later. */
  placeOf(caller: string): number {
    const own = this.#lines.get(caller)?.length ?? 0;
    let before = own;
    for (const [other, { length }] of this.#lines) if (other !== caller) before += Math.min(length, own + 1);
    return before;
  }

  /** Resolves at once if there is capacity and the queue is empty. Else waits for it, until the signal aborts. */
  async enter(caller: string, tryAcquire: () => T | undefined, signal: AbortSignal): Promise<T> {
    const acquired = this.#waiting === 0 ? tryAcquire() : undefined;
    if (acquired !== undefined) return acquired;
    if (!this.#hasRoomFor(caller)) throw this.#options.whenFull();
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
        isWaiting: true,
        before: undefined,
        after: undefined,
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#add(caller, entry);
    });
  }

  /** Admits as many entries as there is capacity for, one per caller in turn. */
  wake(): void {
    for (let hasAdmitted = true; hasAdmitted; ) {
      hasAdmitted = false;
      for (const [caller, line] of [...this.#lines]) if (this.#admit(caller, line)) hasAdmitted = true;
    }
  }

  /** Admits the first entry that there is capacity for. Returns whether there was one. */
  wakeOne(): boolean {
    for (const [caller, line] of this.#lines) if (this.#admit(caller, line)) return true;
    return false;
  }

  #hasRoomFor(caller: string): boolean {
    const held = this.#lines.get(caller)?.length ?? 0;
    return shareLeft({ max: this.#options.max, used: this.#waiting, held }) >= 1;
  }

  #admit(caller: string, line: CallerLine<T>): boolean {
    const { first } = line;
    const acquired = first?.tryAcquire();
    if (first === undefined || acquired === undefined) return false;
    this.#remove(caller, first);
    // The caller goes to the end of the round.
    if (this.#lines.delete(caller)) this.#lines.set(caller, line);
    first.admit(acquired);
    return true;
  }

  #add(caller: string, entry: QueueEntry<T>): void {
    const line = this.#lines.get(caller) ?? { first: undefined, last: undefined, length: 0 };
    if (line.last === undefined) {
      line.first = entry;
      this.#lines.set(caller, line);
    } else {
      line.last.after = entry;
      entry.before = line.last;
    }
    line.last = entry;
    line.length += 1;
    this.#waiting += 1;
  }

  #remove(caller: string, entry: QueueEntry<T>): void {
    const line = this.#lines.get(caller);
    if (line === undefined || !entry.isWaiting) return;
    entry.isWaiting = false;
    if (entry.before === undefined) line.first = entry.after;
    else entry.before.after = entry.after;
    if (entry.after === undefined) line.last = entry.before;
    else entry.after.before = entry.before;
    line.length -= 1;
    this.#waiting -= 1;
    if (line.length === 0) this.#lines.delete(caller);
  }
}
