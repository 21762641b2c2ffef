import type { Steps } from "@model-gateway/runtime/time-slice";
import { PairMerger } from "./pair-merger.js";
import type { TokenTable } from "./token-table.js";

/** A window is merged in about a millisecond, and overlaps with the next one by a quarter. */
const windowBytes = 4096;
const mergesPerStep = 4096;

interface LongPiece {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Counting stops above it. */
  readonly tokensMax: number;
  /** Smaller in tests. */
  readonly windowBytes?: number;
}

/**
 * Counts a piece's tokens window by window, in memory that does not depend on its length. If two windows share a token
 * at the same place, the tokens before it in the first and after it in the second encode both together. Windows without a
 * shared token are enlarged (decision 0066).
 *
 * Proof. Let each two neighbours of a sequence of tokens be neighbours in the encoding of some window. Suppose that
 * encoding the whole merges over a border of the sequence, and take the first such merge, between the tokens t and u.
 * Until then all merges were inside tokens. Inside t and u they come in an order that depends on the bytes of these two
 * alone. In the window that has t and u as neighbours, the parts of both therefore reach the same state, and the same
 * merge comes first there. Then t and u would not be neighbours in that window.
 */
export function* countLongPiece(table: TokenTable, piece: LongPiece): Steps<number> {
  for (let size = piece.windowBytes ?? windowBytes; ; size *= 2) {
    const tokens = yield* countInWindows(table, piece, Math.min(size, piece.length));
    if (tokens !== undefined) return tokens;
  }
}

/** Undefined if two windows have no token in common. */
function* countInWindows(
  table: TokenTable,
  { bytes, length, tokensMax }: LongPiece,
  size: number,
): Steps<number | undefined> {
  let window = new Window(table, size);
  let next = new Window(table, size);
  yield* window.encode(bytes, 0, size);
  let tokens = 0;
  /** Start of the tokens that are not yet counted. */
  let counted = 0;
  while (window.end < length) {
    // The end of a window cuts a token off, so the next window begins well before it.
    const start = window.tokenAfter(counted, window.start + size * 0.75);
    yield* next.encode(bytes, start, Math.min(start + size, length));
    const common = window.commonToken(next, start);
    if (common === undefined) return undefined;
    tokens += window.tokensBetween(counted, common);
    if (tokens > tokensMax) return tokens;
    counted = common;
    [window, next] = [next, window];
  }
  return tokens + window.tokensBetween(counted, window.end);
}

/** A part of a piece, and its tokens. */
class Window {
  start = 0;
  end = 0;
  readonly #merger: PairMerger;

  constructor(table: TokenTable, size: number) {
    this.#merger = new PairMerger(table, size);
  }

  *encode(bytes: Uint8Array, start: number, end: number): Steps<void> {
    this.start = start;
    this.end = end;
    this.#merger.begin(bytes, start, end);
    while (!this.#merger.run(mergesPerStep)) yield;
    yield;
  }

  /** The end of the token that begins at a place in the piece. */
  endOf(place: number): number {
    return this.start + this.#merger.endOf(place - this.start);
  }

  /** The first token from `token` on that begins at `place` or behind it. */
  tokenAfter(token: number, place: number): number {
    let start = token;
    while (start < place) start = this.endOf(start);
    return start;
  }

  /** Start of the first token that this window and the next have in common. */
  commonToken(next: Window, from: number): number | undefined {
    let here = from;
    let there = from;
    while (here < this.end && there < next.end) {
      if (here === there && this.endOf(here) === next.endOf(there)) return here;
      if (here <= there) here = this.endOf(here);
      else there = next.endOf(there);
    }
    return undefined;
  }

  tokensBetween(start: number, end: number): number {
    let tokens = 0;
    for (let at = start; at < end; at = this.endOf(at)) tokens += 1;
    return tokens;
  }
}
