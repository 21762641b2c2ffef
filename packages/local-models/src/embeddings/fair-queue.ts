/** Items of many owners, taken one from each owner in turn: a long list never makes a short one wait for all of it. */
export class FairQueue<Owner, Item> {
  readonly #lanes = new Map<Owner, Item[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds an owner's items, which leave in the order given. An owner is added once. */
  add(owner: Owner, items: readonly Item[]): void {
    // Reversed, since an array gives up its last element without moving the others.
    this.#lanes.set(owner, items.toReversed());
    this.#size += items.length;
  }

  take(): Item | undefined {
    for (const [owner, lane] of this.#lanes) {
      const item = lane.pop();
      // A map keeps the order of insertion, so this sends the owner to the end of the line.
      this.#lanes.delete(owner);
      if (lane.length > 0) this.#lanes.set(owner, lane);
      if (item === undefined) continue;
      this.#size -= 1;
      return item;
    }
    return undefined;
  }

  remove(owner: Owner): void {
    this.#size -= this.#lanes.get(owner)?.length ?? 0;
    this.#lanes.delete(owner);
  }
}
