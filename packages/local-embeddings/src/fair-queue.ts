/** Takes one item of each owner in turn, so that a short list does not wait for all of a long one. */
export class FairQueue<Owner, Item> {
  readonly #items = new Map<Owner, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds the items of an owner in their order. An owner may be added once. */
  add(owner: Owner, items: readonly Item[]): void {
    // Reversed: `pop` does not move the other elements.
    this.#items.set(owner, items.toReversed());
    this.#size += items.length;
  }

  take(): Item | undefined {
    for (const [owner, items] of this.#items) {
      const item = items.pop();
      // A map keeps insertion order, so this moves the owner to the end of the queue.
      this.#items.delete(owner);
      if (items.length > 0) this.#items.set(owner, items);
      if (item === undefined) continue;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  remove(owner: Owner): void {
    this.#size -= this.#items.get(owner)?.length ?? 0;
    this.#items.delete(owner);
  }
}
