/** The first byte of a value shows its type. Anything else begins a number or a word such as `true`. */
export const stringStart = 0x22;
export const arrayStart = 0x5b;
const objectStart = 0x7b;

const backslash = 0x5c;
const closeBracket = 0x5d;
const closeBrace = 0x7d;
const comma = 0x2c;
const colon = 0x3a;

/** Receives the tokens. Positions count from the first byte of the text, and `end` is after the last byte. */
export interface JsonListener {
  /** A key, with its quotes. Its value follows. */
  onKey(start: number, end: number, depth: number): void;
  /**
   * A string, an array or an object begins inside of `depth` others. Returns whether it is taken whole: nothing in it is
   * reported then. An array that is taken ends at its first closing bracket.
   */
  onBegin(first: number, at: number, depth: number): boolean;
  /** The end of a value. The start of a container that is not taken is -1. */
  onEnd(first: number, start: number, end: number, depth: number): void;
  /** Between two items or members. */
  onComma?(at: number, depth: number): void;
  /** A number or a word. */
  onScalar?(start: number, end: number): void;
}

/** Tokens that may come next. Several may at once. */
const nextValue = 1;
const nextKey = 2;
const nextColon = 4;
const nextComma = 8;
const nextClose = 16;

type Inside = "nothing" | "key" | "string" | "array" | "scalar";

/**
 * Reads JSON in chunks of any size, without creating a value. It keeps nothing but the kinds of the open containers, so
 * its listener decides the cost of a text.
 *
 * It knows the grammar of RFC 8259 down to the token. The inside of a string or a number is for `JSON.parse` to judge,
 * which sees it later, or for a listener that looks for the fault.
 */
export class JsonTokenizer {
  readonly #listener: JsonListener;
  /** For each open container, whether it is an array. */
  readonly #open: boolean[] = [];
  #next = nextValue;
  #inside: Inside = "nothing";
  /** Start of the incomplete token. */
  #start = 0;
  /** The position of the current chunk. */
  #base = 0;
  /** With how many backslashes the earlier chunks of a string end. */
  #backslashes = 0;
  #fault: number | undefined;

  constructor(listener: JsonListener) {
    this.#listener = listener;
  }

  /** The position of the first byte that cannot be there. Nothing is read from there on. */
  get fault(): number | undefined {
    return this.#fault;
  }

  /** Whether the container that is open is an object. */
  get isInObject(): boolean {
    return this.#open[this.#open.length - 1] === false;
  }

  /** Start of the string or key that is open at the end of the last chunk. */
  get openString(): number | undefined {
    return this.#inside === "string" || this.#inside === "key" ? this.#start : undefined;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#fault === undefined)
      at = this.#inside === "nothing" ? this.#readTokens(chunk, at) : this.#finishToken(chunk, at);
    this.#base += chunk.length;
  }

  /** Ends the text. Returns whether it was one whole value. */
  end(): boolean {
    if (this.#inside === "scalar") this.#endScalar(this.#base);
    return this.#fault === undefined && this.#next === 0;
  }

  #readTokens(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      switch (byte) {
        case 0x20:
        case 0x0a:
        case 0x0d:
        case 0x09:
          break;
        case stringStart:
          return this.#beginString(at);
        case arrayStart:
        case objectStart:
          if ((this.#next & nextValue) === 0) return this.#refuse(at);
          if (this.#enter(byte, at)) return at + 1;
          break;
        case closeBracket:
        case closeBrace:
          if (!this.#close(byte, at)) return this.#refuse(at);
          break;
        case comma:
          if ((this.#next & nextComma) === 0) return this.#refuse(at);
          this.#next = this.isInObject ? nextKey : nextValue;
          this.#listener.onComma?.(this.#base + at, this.#open.length);
          break;
        case colon:
          if (this.#next !== nextColon) return this.#refuse(at);
          this.#next = nextValue;
          break;
        default:
          if ((this.#next & nextValue) === 0) return this.#refuse(at);
          this.#inside = "scalar";
          this.#start = this.#base + at;
          at = this.#finishScalar(chunk, at + 1) - 1;
      }
    }
    return chunk.length;
  }

  #finishToken(chunk: Buffer, at: number): number {
    if (this.#inside === "scalar") return this.#finishScalar(chunk, at);
    if (this.#inside !== "array") return this.#finishString(chunk, at);
    const close = chunk.indexOf(closeBracket, at);
    if (close === -1) return chunk.length;
    this.#endValue();
    this.#listener.onEnd(arrayStart, this.#start, this.#base + close + 1, this.#open.length);
    return close + 1;
  }

  #beginString(at: number): number {
    if ((this.#next & (nextValue | nextKey)) === 0) return this.#refuse(at);
    const isKey = (this.#next & nextKey) !== 0;
    this.#start = this.#base + at;
    this.#backslashes = 0;
    this.#inside = isKey ? "key" : "string";
    if (!isKey) this.#listener.onBegin(stringStart, this.#start, this.#open.length);
    return at + 1;
  }

  #finishString(chunk: Buffer, from: number): number {
    let quote = indexOfQuote(chunk, from);
    while (quote !== -1 && this.#backslashesBefore(chunk, quote) % 2 === 1)
      quote = indexOfQuote(chunk, quote + 1);
    if (quote === -1) {
      this.#backslashes = this.#backslashesBefore(chunk, chunk.length);
      return chunk.length;
    }
    const end = this.#base + quote + 1;
    if (this.#inside === "key") {
      this.#inside = "nothing";
      this.#next = nextColon;
      this.#listener.onKey(this.#start, end, this.#open.length);
    } else {
      this.#endValue();
      this.#listener.onEnd(stringStart, this.#start, end, this.#open.length);
    }
    return quote + 1;
  }

  /** The backslashes of the open string directly before a place in the chunk, including those in earlier chunks. */
  #backslashesBefore(chunk: Buffer, end: number): number {
    const first = Math.max(0, this.#start + 1 - this.#base);
    let at = end;
    while (at > first && chunk[at - 1] === backslash) at -= 1;
    return end - at + (at === 0 ? this.#backslashes : 0);
  }

  #finishScalar(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && endsScalar[chunk[at] as number] === 0) at += 1;
    if (at < chunk.length) this.#endScalar(this.#base + at);
    return at;
  }

  #endScalar(end: number): void {
    this.#endValue();
    this.#listener.onScalar?.(this.#start, end);
  }

  /** Returns whether the container is taken whole. */
  #enter(first: number, at: number): boolean {
    const isTaken = this.#listener.onBegin(first, this.#base + at, this.#open.length);
    if (isTaken) {
      this.#start = this.#base + at;
      this.#inside = "array";
      return true;
    }
    const isArray = first === arrayStart;
    this.#open.push(isArray);
    this.#next = nextClose | (isArray ? nextValue : nextKey);
    return false;
  }

  #close(byte: number, at: number): boolean {
    const isArray = byte === closeBracket;
    if ((this.#next & nextClose) === 0 || this.isInObject === isArray) return false;
    this.#open.pop();
    this.#endValue();
    this.#listener.onEnd(isArray ? arrayStart : objectStart, -1, this.#base + at + 1, this.#open.length);
    return true;
  }

  #endValue(): void {
    this.#inside = "nothing";
    this.#next = this.#open.length === 0 ? 0 : nextComma | nextClose;
  }

  #refuse(at: number): number {
    this.#fault = this.#base + at;
    return at;
  }
}

/** The bytes at which a number or a word ends. */
const endsScalar = new Uint8Array(256);
for (const byte of Buffer.from(' \n\r\t"[]{},:')) endsScalar[byte] = 1;

/** Most strings are short, and a call of `indexOf` costs as much as a look at this many bytes. */
const shortBytes = 24;

function indexOfQuote(chunk: Buffer, from: number): number {
  const end = Math.min(chunk.length, from + shortBytes);
  for (let at = from; at < end; at += 1) if (chunk[at] === stringStart) return at;
  return end === chunk.length ? -1 : chunk.indexOf(stringStart, end);
}
