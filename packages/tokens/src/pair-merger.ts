import type { TokenTable } from "./token-table.js";

/** An entry of the heap is a rank and a place in one number. */
const placesMax = 2 ** 24;

/**
 * Byte-pair encoding: merges the pair with the lowest rank, of equal ones the first, until no pair is a token. The pairs
 * are in a heap, so n bytes take n log n steps.
 */
export class PairMerger {
  readonly #table: TokenTable;
  /** For each start of a part: the next and the previous start, and the rank of merging it with the next. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #rank: Int32Array;
  /** The lowest entry first. An entry with an outdated rank is skipped. */
  readonly #heap: Float64Array;
  #heapSize = 0;
  #bytes: Uint8Array = new Uint8Array();
  #start = 0;
  #length = 0;
  #count = 0;

  /** @param capacity How many bytes it can encode at once. */
  constructor(table: TokenTable, capacity: number) {
    if (capacity > placesMax) throw new Error("The text is too long.");
    this.#table = table;
    this.#next = new Int32Array(capacity + 1);
    this.#previous = new Int32Array(capacity + 1);
    this.#rank = new Int32Array(capacity + 1);
    // A merge takes one entry and adds up to two.
    this.#heap = new Float64Array(2 * capacity);
  }

  /** The number of parts. When all merges are done, they are the tokens. */
  get count(): number {
    return this.#count;
  }

  /** The end of the token that begins at a place. Places are counted from the start of the bytes. */
  endOf(place: number): number {
    return this.#next[place] ?? 0;
  }

  begin(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#length = end - start;
    this.#count = end - start;
    this.#heapSize = 0;
    for (let place = 0; place < this.#length; place += 1) {
      const isLast = place === this.#length - 1;
      const rank = isLast
        ? -1
        : this.#table.rankOfPair(bytes[start + place] ?? 0, bytes[start + place + 1] ?? 0);
      this.#next[place] = place + 1;
      this.#previous[place] = place - 1;
      this.#setRank(place, rank);
    }
  }

  /** Does so many merges at the most. Returns whether all are done. */
  run(mergesMax: number): boolean {
    for (let merges = 0; merges < mergesMax && this.#heapSize > 0; ) {
      const entry = this.#takeLowest();
      const rank = Math.floor(entry / placesMax);
      const place = entry - rank * placesMax;
      if (this.#rank[place] !== rank) continue;
      this.#merge(place);
      merges += 1;
    }
    return this.#heapSize === 0;
  }

  #merge(place: number): void {
    const second = this.#next[place] ?? 0;
    const end = this.#next[second] ?? 0;
    const previous = this.#previous[place] ?? -1;
    this.#next[place] = end;
    this.#previous[end] = place;
    this.#rank[second] = -1;
    this.#count -= 1;
    this.#setRank(place, end < this.#length ? this.#rankOf(place, this.#next[end] ?? 0) : -1);
    if (previous !== -1) this.#setRank(previous, this.#rankOf(previous, end));
  }

  #rankOf(from: number, to: number): number {
    return this.#table.rankOf(this.#bytes, this.#start + from, this.#start + to);
  }

  #setRank(place: number, rank: number): void {
    this.#rank[place] = rank;
    if (rank !== -1) this.#add(rank * placesMax + place);
  }

  #add(entry: number): void {
    const heap = this.#heap;
    let at = this.#heapSize;
    this.#heapSize += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above < entry) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
  }

  #takeLowest(): number {
    const heap = this.#heap;
    const lowest = heap[0] ?? 0;
    this.#heapSize -= 1;
    const size = this.#heapSize;
    const entry = heap[size] ?? 0;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1;
      const below = heap[child] ?? 0;
      if (below > entry) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = entry;
    return lowest;
  }
}
