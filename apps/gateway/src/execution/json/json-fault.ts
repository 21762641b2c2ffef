import { type JsonListener, JsonTokenizer, stringStart } from "@model-gateway/runtime/json-tokenizer";
import { inSlices, type Steps, TimeSlice } from "@model-gateway/runtime/time-slice";

/** Number of bytes read between two looks at the time. */
const stepBytes = 64 * 1024;

/** Says where a body stops being JSON, without quoting it. For bodies that `JSON.parse` has refused. */
export function locateJsonFault(body: Buffer): string {
  const steps = describeFault(withoutByteOrderMark(body));
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same for a body of any size: other requests run in between. */
export function locateLargeJsonFault(body: Buffer): Promise<string> {
  return inSlices(describeFault(withoutByteOrderMark(body)), new TimeSlice());
}

/** JSON.parse is given the text without its byte order mark. */
export function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

function* describeFault(text: Buffer): Steps<string> {
  const finder = new FaultFinder(text);
  const tokenizer = new JsonTokenizer(finder);
  for (let at = 0; at < text.length && finder.fault === undefined; at += stepBytes) {
    const step = text.subarray(at, at + stepBytes);
    tokenizer.push(step);
    finder.note(tokenizer.fault);
    if (tokenizer.openString !== undefined) finder.checkString(tokenizer.openString, at + step.length);
    yield;
  }
  if (tokenizer.end() && finder.fault === undefined) return "it is not UTF-8";
  if (finder.isEmpty && finder.fault === undefined) return "it is empty";
  const fault = finder.fault ?? text.length;
  const place = yield* placeOf(fault, text);
  return fault < text.length
    ? `there is an unexpected character at ${place}`
    : `it ends too early, at ${place}`;
}

function* placeOf(fault: number, text: Buffer): Steps<string> {
  let line = 1;
  let column = 1;
  for (let at = 0; at < fault; at += 1) {
    if (at % stepBytes === 0) yield;
    const byte = text[at] as number;
    if (byte === 0x0a) {
      line += 1;
      column = 1;
    } else if ((byte & 0xc0) !== 0x80) {
      // Only the first byte of a character counts.
      column += 1;
    }
  }
  return `line ${line}, column ${column}`;
}

/** A number or a word as far as it can be one, and a whole one. */
const scalarStart =
  /^(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-?(?:(?:0|[1-9]\d*)(?:\.(?!\d)|(?:\.\d+)?(?:[eE][+-]?\d*)?))?)/;
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** Finds the first fault inside of strings, numbers and words. */
class FaultFinder implements JsonListener {
  readonly #text: Buffer;
  fault: number | undefined;
  /** Whether no value has begun. */
  isEmpty = true;
  /** Up to where strings were checked: a long one is checked as it is read. */
  #checked = 0;

  constructor(text: Buffer) {
    this.#text = text;
  }

  /** Keeps the first fault. */
  note(at: number | undefined): void {
    if (at !== undefined && at < (this.fault ?? Number.POSITIVE_INFINITY)) this.fault = at;
  }

  onKey(start: number, end: number): void {
    this.checkString(start, end - 1);
  }

  onBegin(): boolean {
    this.isEmpty = false;
    return false;
  }

  onEnd(first: number, start: number, end: number): void {
    if (first === stringStart) this.checkString(start, end - 1);
  }

  onScalar(start: number, end: number): void {
    this.isEmpty = false;
    const text = this.#text.toString("latin1", start, end);
    if (!scalar.test(text)) this.note(start + (scalarStart.exec(text)?.[0].length ?? 0));
  }

  /** Checks a string up to its closing quote, or as far as it was read. */
  checkString(start: number, end: number): void {
    const text = this.#text;
    let at = Math.max(start + 1, this.#checked);
    while (at < end) {
      const byte = text[at] as number;
      if (byte < 0x20) return this.note(at);
      at += 1;
      if (byte !== 0x5c) continue;
      const letter = String.fromCharCode(text[at] ?? 0);
      if (at < text.length && !'"\\/bfnrtu'.includes(letter)) return this.note(at);
      at += 1;
      const last = letter === "u" ? Math.min(at + 4, text.length) : at;
      for (; at < last; at += 1)
        if (!/[0-9a-fA-F]/.test(String.fromCharCode(text[at] as number))) return this.note(at);
    }
    this.#checked = at;
  }
}
