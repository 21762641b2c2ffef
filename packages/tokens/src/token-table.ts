import { TimeSlice } from "@model-gateway/runtime/time-slice";

/**
 * The tokens of a byte-pair vocabulary, found by their bytes. The id of a token is its rank: encoding merges the pair with
 * the lowest rank first.
 */
export class TokenTable {
  /** The bytes of the longest token. */
  readonly longest: number;
  /** The bytes of all tokens, one after the other. Token `id` begins at `#starts[id]` and ends at `#starts[id + 1]`. */
  readonly #bytes: Uint8Array;
  readonly #starts: Uint32Array;
  /** The tokens by the hash of their bytes: the id + 1, or 0 in a free slot. */
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** Two-byte tokens: id + 1, by the two bytes. A third of all lookups is for one of them. */
  readonly #pairs = new Int32Array(65_536);

  private constructor(bytes: Uint8Array, starts: Uint32Array) {
    const count = starts.length - 1;
    // Half of the slots stay free, so that a search ends soon.
    const slots = 2 ** Math.ceil(Math.log2(count * 2));
    this.#bytes = bytes;
    this.#starts = starts;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    let longest = 0;
    for (let id = 0; id < count; id += 1) longest = Math.max(longest, this.lengthOf(id));
    this.longest = longest;
  }

  /** @param starts Where each token begins in `bytes`, and the end of the last. An id without a token has no bytes. */
  static async build(bytes: Uint8Array, starts: Uint32Array): Promise<TokenTable> {
    const table = new TokenTable(bytes, starts);
    const slice = new TimeSlice();
    for (let id = 0; id < starts.length - 1; id += 1) {
      table.#add(id);
      if (id % 256 === 0 && slice.isOver) await slice.yield();
    }
    return table;
  }

  /** 0 where there is no such token. */
  lengthOf(id: number): number {
    return Math.max(0, (this.#starts[id + 1] ?? 0) - (this.#starts[id] ?? 0));
  }

  bytesOf(id: number): Uint8Array {
    return this.#bytes.subarray(this.#starts[id], this.#starts[id + 1]);
  }

  /** The rank of two bytes, or -1 where they are not a token. */
  rankOfPair(first: number, second: number): number {
    return (this.#pairs[first * 256 + second] ?? 0) - 1;
  }

  /** The rank of the bytes from `start` to `end`, or -1 where they are not a token. */
  rankOf(bytes: Uint8Array, start: number, end: number): number {
    // gpt-tokenizer, whose counts these are, finds no token that begins with a byte order mark.
    if (end - start > this.longest || startsWithByteOrderMark(bytes, start, end)) return -1;
    for (let slot = hashOf(bytes, start, end) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const id = (this.#slots[slot] ?? 0) - 1;
      if (id === -1 || this.#isToken(id, bytes, start, end)) return id;
    }
  }

  #add(id: number): void {
    const start = this.#starts[id] ?? 0;
    const end = start + this.lengthOf(id);
    if (end === start) return;
    let slot = hashOf(this.#bytes, start, end) & this.#mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
    this.#slots[slot] = id + 1;
    if (end - start === 2)
      this.#pairs[(this.#bytes[start] ?? 0) * 256 + (this.#bytes[start + 1] ?? 0)] = id + 1;
  }

  #isToken(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const tokenStart = this.#starts[id] ?? 0;
    if ((this.#starts[id + 1] ?? 0) - tokenStart !== end - start) return false;
    for (let at = start; at < end; at += 1)
      if (this.#bytes[tokenStart + at - start] !== bytes[at]) return false;
    return true;
  }
}

/** FNV-1a. Its low bits alone depend on too few of the input bits. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

function startsWithByteOrderMark(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === 0xef && end - start >= 3 && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
}
