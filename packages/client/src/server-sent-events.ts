/** One event: its name, and its data lines joined with line feeds. */
export interface ServerSentEvent {
  /** `message` if the stream does not name the event. */
  readonly event: string;
  readonly data: string;
}

/** An event whose data is not decoded yet: the bytes of its lines, as views of the chunks they arrived in. */
export interface RawServerSentEvent {
  readonly event: string;
  readonly data: readonly Uint8Array[];
}

export interface ReadOptions {
  /** The largest event to accept: its data and the line that is being read. Comments and finished events do not count. */
  readonly eventBytesMax: number;
}

/** An event exceeds `eventBytesMax`, or has more than 10,000 lines. */
export class EventTooLargeError extends Error {
  override readonly name = "EventTooLargeError";
  readonly eventBytesMax: number;

  constructor(eventBytesMax: number) {
    super(`An event of the stream is larger than ${eventBytesMax} bytes.`);
    this.eventBytesMax = eventBytesMax;
  }
}

/**
 * Reads server-sent events from chunks that may end anywhere.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 *
 * Unlike a browser, it also returns a last event whose blank line is missing: some servers leave it out.
 */
export async function* readServerSentEvents(
  chunks: AsyncIterable<Uint8Array>,
  { eventBytesMax }: ReadOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  for await (const { event, data } of readRawServerSentEvents(chunks, { eventBytesMax }))
    yield { event, data: decode(data) };
}

/** The same without decoding the data: an event of megabytes is passed on in the bytes it arrived in. */
export async function* readRawServerSentEvents(
  chunks: AsyncIterable<Uint8Array>,
  { eventBytesMax }: ReadOptions,
): AsyncGenerator<RawServerSentEvent, void, undefined> {
  const parser = new EventParser(eventBytesMax);
  for await (const chunk of chunks) yield* parser.parse(chunk);
  const last = parser.finish();
  if (last) yield last;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Lines are cut as bytes: no UTF-8 sequence contains CR or LF. */
class EventParser {
  readonly #eventBytesMax: number;
  /** The chunks of an unfinished line. To join them at each chunk would copy a long line once per chunk. */
  #pieces: Uint8Array[] = [];
  #joinedPieces = 0;
  #lineBytes = 0;
  #event = "";
  #data: Uint8Array[] = [];
  #joinedData = 0;
  #hasData = false;
  #dataBytes = 0;
  #dataLines = 0;
  #isFirstLine = true;
  #endedInCarriageReturn = false;

  constructor(eventBytesMax: number) {
    this.#eventBytesMax = eventBytesMax;
  }

  *parse(chunk: Uint8Array): Generator<RawServerSentEvent, void, undefined> {
    if (chunk.length === 0) return;
    // The LF of a CRLF that the chunks cut in two.
    let start = this.#endedInCarriageReturn && chunk[0] === lineFeed ? 1 : 0;
    this.#endedInCarriageReturn = chunk[chunk.length - 1] === carriageReturn;
    // Each is searched for only once it has been passed: a chunk of short lines is not scanned again for each line.
    let nextFeed = find(chunk, lineFeed, start);
    let nextReturn = find(chunk, carriageReturn, start);
    while (nextFeed < chunk.length || nextReturn < chunk.length) {
      const end = Math.min(nextFeed, nextReturn);
      this.#append(chunk.subarray(start, end));
      const event = this.#endLine();
      start = end + (nextFeed === nextReturn + 1 ? 2 : 1);
      if (nextFeed < start) nextFeed = find(chunk, lineFeed, start);
      if (nextReturn < start) nextReturn = find(chunk, carriageReturn, start);
      if (event) yield event;
    }
    this.#append(chunk.subarray(start));
  }

  /** The last event, if its blank line is missing. */
  finish(): RawServerSentEvent | undefined {
    if (this.#lineBytes > 0) this.#endLine();
    return this.#takeEvent();
  }

  #append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lineBytes += piece.length;
    if (this.#dataBytes + this.#lineBytes > this.#eventBytesMax) {
      throw new EventTooLargeError(this.#eventBytesMax);
    }
    this.#pieces.push(piece);
    this.#joinedPieces = joinSmall(this.#pieces, this.#joinedPieces);
  }

  #endLine(): RawServerSentEvent | undefined {
    const line = this.#pieces;
    const bytes = this.#lineBytes;
    this.#pieces = [];
    this.#joinedPieces = 0;
    this.#lineBytes = 0;
    // Most lines are of one piece. Names are short, so a colon that comes later belongs to a field that is not known.
    const [first = noBytes] = line;
    const head = line.length < 2 ? first : join(sliceFrom(line, 0, nameBytesMax));
    const start = this.#isFirstLine && byteOrderMark.every((byte, index) => head[index] === byte) ? 3 : 0;
    this.#isFirstLine = false;
    if (bytes === start) return this.#takeEvent();
    const colonAt = head.indexOf(colon, start);
    const end = colonAt === -1 ? bytes : colonAt;
    const valueAt = head[end + 1] === space ? end + 2 : end + 1;
    // A comment has no name. Its text, an `id` or a `retry` is left out.
    if (isBetween(head, start, end, dataName)) this.#addData(sliceFrom(line, valueAt));
    else if (isBetween(head, start, end, eventName)) this.#event = decode(sliceFrom(line, valueAt));
    return undefined;
  }

  #addData(value: readonly Uint8Array[]): void {
    if (this.#hasData) this.#data.push(lineBreak);
    this.#dataBytes += 1;
    for (const piece of value) {
      this.#data.push(piece);
      this.#dataBytes += piece.length;
    }
    this.#joinedData = joinSmall(this.#data, this.#joinedData);
    this.#dataLines += 1;
    if (this.#dataLines > dataLinesMax) throw new EventTooLargeError(this.#eventBytesMax);
    this.#hasData = true;
  }

  #takeEvent(): RawServerSentEvent | undefined {
    const event = this.#hasData ? { event: this.#event || "message", data: this.#data } : undefined;
    this.#event = "";
    this.#data = [];
    this.#joinedData = 0;
    this.#hasData = false;
    this.#dataBytes = 0;
    this.#dataLines = 0;
    return event;
  }
}

/** A line takes as long as hundreds of bytes. A document of many lines has thousands. */
const dataLinesMax = 10_000;
const noBytes = new Uint8Array(0);
const dataName = new TextEncoder().encode("data");
const eventName = new TextEncoder().encode("event");
const lineBreak = Uint8Array.of(lineFeed);
/** A byte order mark, the longest name, a colon and a space. */
const nameBytesMax = 3 + "event: ".length;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function decode(pieces: readonly Uint8Array[]): string {
  return decoder.decode(join(pieces));
}

/** Whether exactly these bytes are between two positions. Decoding a name would take most of the time of a short line. */
function isBetween(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  return end - start === name.length && name.every((byte, index) => bytes[start + index] === byte);
}

/** The bytes of the pieces from one position on, or up to another. Nothing is copied. */
function sliceFrom(pieces: readonly Uint8Array[], from: number, to = Number.POSITIVE_INFINITY): Uint8Array[] {
  const slices: Uint8Array[] = [];
  let start = 0;
  for (const piece of pieces) {
    if (start >= to) break;
    const slice = piece.subarray(Math.max(0, from - start), Math.min(piece.length, to - start));
    if (slice.length > 0) slices.push(slice);
    start += piece.length;
  }
  return slices;
}

/** The index of a byte, or the chunk's length if it is missing. */
function find(chunk: Uint8Array, byte: number, start: number): number {
  const at = chunk.indexOf(byte, start);
  return at === -1 ? chunk.length : at;
}

const manyPieces = 1024;
const smallBytesMax = 1024;

/**
 * Joins the pieces from one position on if they are many and small: each takes more than a hundred bytes, and keeps its
 * chunk alive. Returns the position from which on they are not joined yet, so that none is copied twice.
 */
function joinSmall(pieces: Uint8Array[], from: number): number {
  if (pieces.length - from < manyPieces) return from;
  const last = pieces.slice(from);
  const bytes = last.reduce((sum, { length }) => sum + length, 0);
  if (bytes < last.length * smallBytesMax) pieces.splice(from, last.length, join(last));
  return pieces.length;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
