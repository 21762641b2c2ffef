import { FairQueue } from "./fair-queue.js";

/** Takes one item of each owner in turn, and of their lists in turn: an owner with a hundred lists delays its own. */
export class OwnerQueue<List, Item> {
  readonly #queues = new Map<string, FairQueue<List, Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(owner: string): number {
    return this.#queues.get(owner)?.size ?? 0;
  }

  /** Adds the items of a list in their order. A list may be added once. */
  add(owner: string, list: List, items: readonly Item[]): void {
    const queue = this.#queues.get(owner) ?? new FairQueue();
    this.#queues.set(owner, queue);
    queue.add(list, items);
    this.#size += items.length;
  }

  take(): Item | undefined {
    for (const [owner, queue] of this.#queues) {
      const item = queue.take();
      // A map keeps insertion order, so this moves the owner to the end of the queue.
      this.#queues.delete(owner);
      if (queue.size > 0) this.#queues.set(owner, queue);
      if (item === undefined) continue;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  remove(owner: string, list: List): void {
    const queue = this.#queues.get(owner);
    if (queue === undefined) return;
    const before = queue.size;
    queue.remove(list);
    this.#size -= before - queue.size;
    if (queue.size === 0) this.#queues.delete(owner);
  }
}
