import { GatewayError } from "../errors.js";

interface Waiter<T> {
  readonly tryEnter: () => T | undefined;
  readonly admit: (place: T) => void;
}

/**
 * Where requests wait for a place, fairly between callers: whoever sends a thousand requests waits behind its own, not
 * in front of everybody else's.
 */
export class WaitingRoom<T> {
  readonly #max: number;
  readonly #queues = new Map<string, Waiter<T>[]>();
  #waiting = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Gives a place at once where there is one and nobody waits for it; else waits until the signal aborts. */
  async enter(caller: string, tryEnter: () => T | undefined, signal: AbortSignal): Promise<T> {
    const place = this.#waiting === 0 ? tryEnter() : undefined;
    if (place !== undefined) return place;
    if (this.#waiting >= this.#max) {
      throw new GatewayError("rate_limit_exceeded", "Too many requests wait for this model.", {
        retryAfterMs: 1000,
        nothingMade: true,
      });
    }
    return new Promise<T>((resolve, reject) => {
      const leave = () => {
        this.#remove(caller, waiter);
        reject(signal.reason);
      };
      const waiter: Waiter<T> = {
        tryEnter,
        admit: (given) => {
          signal.removeEventListener("abort", leave);
          resolve(given);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#queues.set(caller, [...(this.#queues.get(caller) ?? []), waiter]);
      this.#waiting += 1;
    });
  }

  /** Lets in whoever has a place now, one of each caller in turn. */
  wake(): void {
    for (let hasMoved = true; hasMoved; ) {
      hasMoved = false;
      for (const [caller, [first]] of [...this.#queues]) {
        const place = first?.tryEnter();
        if (first === undefined || place === undefined) continue;
        this.#remove(caller, first);
        // The caller goes to the end of the round.
        const rest = this.#queues.get(caller);
        if (rest !== undefined && this.#queues.delete(caller)) this.#queues.set(caller, rest);
        first.admit(place);
        hasMoved = true;
      }
    }
  }

  #remove(caller: string, waiter: Waiter<T>): void {
    const queue = this.#queues.get(caller) ?? [];
    const rest = queue.filter((other) => other !== waiter);
    if (rest.length === queue.length) return;
    this.#waiting -= 1;
    if (rest.length === 0) this.#queues.delete(caller);
    else this.#queues.set(caller, rest);
  }
}
