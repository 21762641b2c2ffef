import { FairQueue } from "./fair-queue.js";

/** The urgency of a call: texts of `interactive` calls are embedded before those of `bulk` calls. */
export type EmbeddingPriority = "interactive" | "bulk";

/** After this many interactive texts that bulk texts waited for, one of these goes first: they are never left for good. */
const passesMax = 16;

/** The texts that wait for a worker: a fair queue for each priority. */
export class TextQueue<Owner, Item> {
  readonly #queues = {
    interactive: new FairQueue<Owner, Item>(),
    bulk: new FairQueue<Owner, Item>(),
  } as const;
  readonly #max: number;
  readonly #bulkMax: number;
  #passes = 0;

  /** @param max The most items that wait. Bulk ones may be three quarters of them. */
  constructor(max: number) {
    this.#max = max;
    this.#bulkMax = Math.floor(max * 0.75);
  }

  /** Whether so many more items may wait. */
  hasRoom(count: number, priority: EmbeddingPriority): boolean {
    const { interactive, bulk } = this.#queues;
    if (priority === "bulk" && bulk.size + count > this.#bulkMax) return false;
    return interactive.size + bulk.size + count <= this.#max;
  }

  /** Adds the items of an owner in their order. An owner may be added once. */
  add(owner: Owner, items: readonly Item[], priority: EmbeddingPriority): void {
    this.#queues[priority].add(owner, items);
  }

  take(): Item | undefined {
    const { interactive, bulk } = this.#queues;
    const isOverdue = bulk.size > 0 && this.#passes >= passesMax;
    const next = isOverdue ? undefined : interactive.take();
    if (next === undefined) {
      this.#passes = 0;
      return bulk.take();
    }
    if (bulk.size > 0) this.#passes += 1;
    return next;
  }

  remove(owner: Owner): void {
    this.#queues.interactive.remove(owner);
    this.#queues.bulk.remove(owner);
  }
}
