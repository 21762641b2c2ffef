/** One event: its name, and its data lines joined with line feeds. */
export interface ServerSentEvent {
  /** `message` if the stream does not name the event. */
  readonly event: string;
  readonly data: string;
}

export interface ReadOptions {
  /** The largest event to accept: its data and the line that is being read. Comments and finished events do not count. */
  readonly eventBytesMax: number;
}

/** An event exceeds `eventBytesMax`. */
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

/** Lines are cut as bytes: no UTF-8 sequence contains CR or LF, so each line can be decoded on its own. */
class EventParser {
  readonly #eventBytesMax: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The chunks of an unfinished line. To join them at each chunk would copy a long line once per chunk. */
  #pieces: Uint8Array[] = [];
  #lineBytes = 0;
  #event = "";
  #data: string[] = [];
  #dataBytes = 0;
  #isFirstLine = true;
  #endedInCarriageReturn = false;

  constructor(eventBytesMax: number) {
    this.#eventBytesMax = eventBytesMax;
  }

  *parse(chunk: Uint8Array): Generator<ServerSentEvent, void, undefined> {
    if (chunk.length === 0) return;
    // The LF of a CRLF that the chunks cut in two.
    let start = this.#endedInCarriageReturn && chunk[0] === lineFeed ? 1 : 0;
    this.#endedInCarriageReturn = chunk[chunk.length - 1] === carriageReturn;
    // Each is searched for only once it has been passed: a chunk of short lines is not scanned anew for each line.
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
  finish(): ServerSentEvent | undefined {
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
  }

  #endLine(): ServerSentEvent | undefined {
    const line = this.#takeLine();
    if (line.length === 0) return this.#takeEvent();
    const end = line.indexOf(colon);
    const name = this.#decoder.decode(end === -1 ? line : line.subarray(0, end));
    // A comment has no name. Its text, an `id` or a `retry` is not decoded.
    if (name !== "data" && name !== "event") return undefined;
    const value =
      end === -1 ? line.subarray(line.length) : line.subarray(end + (line[end + 1] === space ? 2 : 1));
    if (name === "event") this.#event = this.#decoder.decode(value);
    else {
      this.#data.push(this.#decoder.decode(value));
      this.#dataBytes += value.length + 1;
    }
    return undefined;
  }

  #takeLine(): Uint8Array {
    const line = join(this.#pieces, this.#lineBytes);
    this.#pieces = [];
    this.#lineBytes = 0;
    if (!this.#isFirstLine) return line;
    this.#isFirstLine = false;
    return byteOrderMark.every((byte, index) => line[index] === byte) ? line.subarray(3) : line;
  }

  #takeEvent(): ServerSentEvent | undefined {
    const event =
      this.#data.length > 0 ? { event: this.#event || "message", data: this.#data.join("\n") } : undefined;
    this.#event = "";
    this.#data = [];
    this.#dataBytes = 0;
    return event;
  }
}

/** Where a byte is, or the length of the chunk if it is not there. */
function find(chunk: Uint8Array, byte: number, start: number): number {
  const at = chunk.indexOf(byte, start);
  return at === -1 ? chunk.length : at;
}

function join(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
