import { performance } from "node:perf_hooks";

const postponedMsMax = 100;

/**
 * Runs one stage for all requests of an event-loop turn, one after the other. The code of a whole request is larger than
 * the processor's instruction cache: requests that run through all stages one by one evict each other's code. In a
 * batch, only the first request loads the code of a stage.
 */
export class TurnBatch<T> {
  readonly #run: (item: T) => void;
  #items: T[] = [];
  #isPostponed = false;
  #postponedAt: number | undefined;
  readonly #runAll = (): void => {
    const waits = this.#isPostponed && this.#mayWait();
    this.#isPostponed = false;
    if (waits) {
      setImmediate(this.#runAll);
      return;
    }
    this.#postponedAt = undefined;
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#run(item);
  };

  /** @param run Must not throw: the items after it would be lost. */
  constructor(run: (item: T) => void) {
    this.#run = run;
  }

  /** The item runs when all sockets that are ready in this turn have been read. */
  add(item: T): void {
    if (this.#items.push(item) === 1) setImmediate(this.#runAll);
  }

  /** The items of this turn wait for the next one, and so on, but not for longer than 100 ms. */
  postpone(): void {
    this.#isPostponed = true;
  }

  #mayWait(): boolean {
    const now = performance.now();
    this.#postponedAt ??= now;
    return now - this.#postponedAt < postponedMsMax;
  }
}
