/** How much may be held of something that has not ended yet, and what to throw when it is more. */
export interface SizeLimit {
  readonly bytesMax: number;
  readonly tooLarge: () => Error;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Cuts bytes into lines that end in LF, CRLF or CR. Neither byte occurs inside a UTF-8 sequence, so cutting before
 * decoding leaves every sequence whole, wherever a chunk ended.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: SizeLimit,
): AsyncGenerator<string> {
  const line = new UnfinishedLine(limit);
  let endedInCarriageReturn = false;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    let start = endedInCarriageReturn && chunk[0] === lineFeed ? 1 : 0;
    for (let end = findLineEnd(chunk, start); end !== -1; end = findLineEnd(chunk, start)) {
      line.append(chunk.subarray(start, end));
      yield line.take();
      start = end + (chunk[end] === carriageReturn && chunk[end + 1] === lineFeed ? 2 : 1);
    }
    line.append(chunk.subarray(start));
    endedInCarriageReturn = chunk.at(-1) === carriageReturn;
  }
  const last = line.take();
  if (last !== "") yield last;
}

/** Holds the pieces apart until the line ends: joining at each chunk would copy a long line once for every chunk. */
class UnfinishedLine {
  readonly #limit: SizeLimit;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limit: SizeLimit) {
    this.#limit = limit;
  }

  append(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#limit.bytesMax) throw this.#limit.tooLarge();
    this.#pieces.push(piece);
  }

  take(): string {
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    this.#bytes = 0;
    return new TextDecoder().decode(whole);
  }
}

function findLineEnd(chunk: Uint8Array, start: number): number {
  const feed = chunk.indexOf(lineFeed, start);
  const before = chunk.subarray(start, feed === -1 ? chunk.length : feed).indexOf(carriageReturn);
  return before === -1 ? feed : start + before;
}
