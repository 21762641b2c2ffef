import type { Clock } from "@model-gateway/runtime/clock";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { type LeasedWork, renewEveryMs, type WorkItem } from "./leased-work.js";

interface WorkerOptions<Item extends WorkItem> {
  readonly work: LeasedWork<Item>;
  /** Unique for each process. */
  readonly holder: string;
  /** Works on an item, and records its outcome. If it rejects, the lease ends by itself, and the item is claimed again. */
  readonly run: (item: Item) => Promise<void>;
  /** An item that was claimed so often without an end may bring the process down, so it is given up. */
  readonly attemptsMax: number;
  /** Records that an item has failed, instead of working on it. */
  readonly giveUp: (item: Item) => Promise<void>;
  /** How many items run at once. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called when an item failed, or when the queue cannot be read. Work goes on. */
  readonly onFailure: (failure: unknown) => void;
}

/** How often an idle process looks for work that another one has added or left behind. */
const pollMs = 2000;

/** Claims items and works on them, some at a time. It is woken for new items, and looks by itself now and then. */
export class Worker<Item extends WorkItem> {
  readonly #options: WorkerOptions<Item>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #pause = new AbortController();
  /** Set by `wake` while a claim is under way. */
  #isWoken = false;
  #loop: Promise<void> | undefined;
  #renewal: Repetition | undefined;

  constructor(options: WorkerOptions<Item>) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#work();
    const { onFailure } = this.#options;
    this.#renewal ??= every(renewEveryMs, () => this.#renew(), { task: "renew_work_leases", onFailure });
  }

  /** There is something to claim. */
  wake(): void {
    this.#isWoken = true;
    this.#pause.abort();
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Claims nothing more, and resolves when all claimed items are done. Their leases are renewed until then. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.wake();
    await this.#loop;
    await Promise.allSettled(this.#running.values());
    await this.#renewal?.stop();
  }

  async #work(): Promise<void> {
    const { work, concurrency, onFailure } = this.#options;
    while (!this.#closing.signal.aborted) {
      this.#isWoken = false;
      let hasMore = false;
      try {
        const { hasQueued, hasAbandoned } = await work.inspect();
        if (hasAbandoned) await work.recover();
        while (
          (hasQueued || hasAbandoned) &&
          this.#running.size < concurrency &&
          !this.#closing.signal.aborted
        ) {
          const item = await work.claim(this.#options.holder);
          if (item === undefined) break;
          hasMore = true;
          this.#begin(item);
        }
      } catch (failure) {
        hasMore = false;
        onFailure(failure);
      }
      // A full worker is woken when an item ends.
      if (!hasMore || this.#running.size >= concurrency) await this.#rest();
    }
  }

  #begin(item: Item): void {
    const { run, giveUp, attemptsMax, onFailure } = this.#options;
    const running = (item.attempts > attemptsMax ? giveUp : run)(item)
      .catch(onFailure)
      .finally(() => {
        this.#running.delete(item.id);
        this.wake();
      });
    this.#running.set(item.id, running);
  }

  /** Until it is woken, or for a while. Processes that started together do not look together. */
  async #rest(): Promise<void> {
    if (this.#isWoken) return;
    const { clock, random } = this.#options;
    this.#pause = new AbortController();
    await clock.wait(pollMs * (0.75 + random() / 2), this.#pause.signal).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const { work, holder } = this.#options;
    await work.renew([...this.#running.keys()], holder);
  }
}
