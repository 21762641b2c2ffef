import { SharedPool } from "./shared-pool.js";

/** An entry of a bounded store. */
export interface StoredItem {
  /** Whose entry it is. Entries of unknown owners are one group, with an empty name. */
  readonly owner: string;
  /** Its size in the unit of the limit. */
  readonly size: number;
  readonly writtenAt: number;
}

/**
 * The entries of a bounded store, and which of them goes next. An entry that was paid for is never refused, so a full
 * store evicts the oldest entry of the key that holds the most. One key alone may fill the store. Of several, each keeps
 * the entries that fit in an equal part of it, however much the others write, unless a single entry is larger than that.
 */
export class FairEviction {
  readonly #held: SharedPool;
  /** Oldest first. */
  readonly #items = new Map<string, StoredItem>();
  /** The names of each owner's entries, oldest first. */
  readonly #names = new Map<string, Set<string>>();

  constructor(sizeMax: number) {
    this.#held = new SharedPool(sizeMax);
  }

  /** Adds an entry, which is the newest, or replaces the one with this name. */
  add(name: string, item: StoredItem): void {
    this.delete(name);
    const { owner, size } = item;
    const names = this.#names.get(owner) ?? new Set();
    this.#names.set(owner, names.add(name));
    this.#items.set(name, item);
    this.#held.add(owner, size);
  }

  delete(name: string): void {
    const item = this.#items.get(name);
    if (item === undefined) return;
    const { owner, size } = item;
    const names = this.#names.get(owner);
    names?.delete(name);
    if (names?.size === 0) this.#names.delete(owner);
    this.#items.delete(name);
    this.#held.giveBack(owner, size);
  }

  /** The oldest entry, if it was written at this time or before. */
  writtenBy(time: number): string | undefined {
    for (const [name, { writtenAt }] of this.#items) return writtenAt <= time ? name : undefined;
    return undefined;
  }

  /** The entry that makes room for a new one. Undefined if there is room, or nothing left to evict. */
  next(wanted: Pick<StoredItem, "owner" | "size"> = nothing): string | undefined {
    if (this.#held.used + wanted.size <= this.#held.max) return undefined;
    let most = -1;
    let oldest: string | undefined;
    for (const [owner, names] of this.#names) {
      const isWriter = owner === wanted.owner;
      const held = this.#held.heldBy(owner) + (isWriter ? wanted.size : 0);
      // Of two that hold as much, the one that wants more gives way.
      if (held < most || (held === most && !isWriter)) continue;
      most = held;
      [oldest] = names;
    }
    return oldest;
  }
}

const nothing = { owner: "", size: 0 };
