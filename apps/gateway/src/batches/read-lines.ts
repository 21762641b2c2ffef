import { TimeSlice } from "@model-gateway/runtime/time-slice";

/** A line of a file, and its place in it. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** The first byte of the line in the file, and the one after its line break. */
  readonly start: number;
  readonly end: number;
  /** Without the line break. Undefined if the line is longer than allowed. */
  readonly text: Buffer | undefined;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

interface ReadLinesOptions {
  readonly lineBytesMax: number;
  /** The place of the first byte in the file, and the number of the first line. */
  readonly from?: { readonly start: number; readonly line: number };
}

/**
 * Splits a stream into lines. One line at a time is in memory, and no more of it than allowed. The reader's work on
 * a line counts in the time of the turn: a chunk may have a quarter of a million lines.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  { lineBytesMax, from = { start: 0, line: 1 } }: ReadLinesOptions,
): AsyncGenerator<Line> {
  let { start, line: number } = from;
  let gathered: Buffer[] = [];
  let bytes = 0;
  const finish = (lastBytes: number): Line => {
    const text = bytes > lineBytesMax + 1 ? undefined : withoutReturn(Buffer.concat(gathered, bytes));
    const line = { number, start, end: start + bytes + lastBytes, text: tooLong(text, lineBytesMax) };
    start = line.end;
    number += 1;
    gathered = [];
    bytes = 0;
    return line;
  };
  const gather = (piece: Buffer): void => {
    bytes += piece.length;
    // One byte more, for the carriage return.
    if (bytes <= lineBytesMax + 1) gathered.push(piece);
    else gathered = [];
  };
  const slice = new TimeSlice();
  for await (const chunk of stream) {
    slice.renew();
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      gather(chunk.subarray(at, end));
      at = end + 1;
      yield finish(1);
      if (slice.isOver) await slice.yieldBulk();
    }
    if (at < chunk.length) gather(chunk.subarray(at));
  }
  if (bytes > 0) yield finish(0);
}

function withoutReturn(text: Buffer): Buffer {
  return text.at(-1) === carriageReturn ? text.subarray(0, -1) : text;
}

function tooLong(text: Buffer | undefined, lineBytesMax: number): Buffer | undefined {
  return text !== undefined && text.length > lineBytesMax ? undefined : text;
}
