import { isUtf8 } from "node:buffer";
import { type ErrorCode, GatewayError } from "../../errors.js";
import { arrayStart, type JsonListener, JsonTokenizer, stringStart } from "../../runtime/json-tokenizer.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import { locateJsonFault, locateLargeJsonFault, withoutByteOrderMark } from "./json-fault.js";
import type { JsonShape } from "./json-schema.js";

/** A body of up to this size cannot block the event loop for long, whatever is in it. */
export const smallJsonBytes = 64 * 1024;
/** A long array is parsed in parts of about this size. */
const defaultPartBytes = 128 * 1024;
/** Number of bytes scanned between two looks at the time. */
const scanBytes = 64 * 1024;
/** Extra keys and items that a body may have beyond its schema. The validator names an extra field better than the scan. */
const slack = 100;
/** A caller chooses its keys, and an error must stay short. */
const paramLengthMax = 100;

/**
 * Parses a JSON body of any size. First it is scanned: a body that is nested deeper, or has more arrays, objects, keys or
 * items than its schema can accept, is refused before an object is created for it. Then it is parsed in parts. Other
 * requests run in between.
 */
export function parseLargeJson(
  body: Buffer,
  shape: JsonShape,
  partBytes = defaultPartBytes,
): Promise<unknown> {
  return parseInParts(withoutByteOrderMark(body), shape, partBytes).catch(async (failure) => {
    if (!(failure instanceof BrokenJson)) throw failure;
    throw invalidJson(await locateLargeJsonFault(body), failure.cause);
  });
}

/** An array right below the root, and the commas at which it is divided. */
interface LongArray {
  /** After its bracket. */
  readonly start: number;
  /** At its closing bracket. */
  end: number;
  readonly cuts: number[];
}

async function parseInParts(text: Buffer, shape: JsonShape, partBytes: number): Promise<unknown> {
  const slice = new TimeSlice();
  const scan = new BodyScan(text, shape, partBytes);
  const tokenizer = new JsonTokenizer(scan);
  for (let at = 0; at < text.length; at += scanBytes) {
    tokenizer.push(text.subarray(at, at + scanBytes));
    if (slice.isOver) await slice.yield();
  }
  if (!tokenizer.end()) throw new BrokenJson();

  const arrays = [...scan.longArrays];
  const root = parsePart(
    without(
      text,
      arrays.map(([, array]) => array),
    ),
  );
  for (const [key, { start, end, cuts }] of arrays) {
    const value: unknown[] = [];
    let from = start;
    for (const cut of [...cuts, end]) {
      for (const item of parsePart(text.subarray(from, cut), asArray) as unknown[]) value.push(item);
      from = cut + 1;
      if (slice.isOver) await slice.yield();
    }
    // Not an assignment: the key may be `__proto__`.
    Object.defineProperty(root, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return root;
}

/** Finds the long arrays of the root, and refuses a shape that the schema cannot accept. */
class BodyScan implements JsonListener {
  /** By key. If a key occurs twice, the last one counts. */
  readonly longArrays = new Map<string, LongArray>();
  readonly #text: Buffer;
  readonly #shape: JsonShape;
  readonly #partBytes: number;
  /** The commas of the open array at each depth; undefined where an object is open. */
  readonly #commas: (number | undefined)[] = [];
  #array: LongArray | undefined;
  #containers = 0;
  #keys = 0;
  #rootKey = "";

  constructor(text: Buffer, shape: JsonShape, partBytes: number) {
    this.#text = text;
    this.#shape = shape;
    this.#partBytes = partBytes;
  }

  onKey(start: number, end: number, depth: number): void {
    this.#checkText(start, end, depth);
    this.#keys += 1;
    if (this.#keys > this.#shape.keys + slack)
      throw this.#refusal("invalid_value", "it has too many fields", 1);
    if (depth !== 1) return;
    this.#rootKey = parsePart(this.#text.subarray(start, end)) as string;
    this.longArrays.delete(this.#rootKey);
  }

  onBegin(first: number, at: number, outer: number): boolean {
    if (first === stringStart) return false;
    const depth = outer + 1;
    this.#commas[depth] = first === arrayStart ? 0 : undefined;
    this.#containers += 1;
    if (depth > this.#shape.depth + 1) throw this.#refusal("invalid_value", "it is nested too deep", depth);
    if (this.#containers > this.#shape.containers + slack)
      throw this.#refusal("invalid_value", "it has too many arrays and objects", depth);
    // A root that is an array has no keys.
    if (first === arrayStart && depth === 2 && this.#commas[1] === undefined)
      this.#array = { start: at + 1, end: at + 1, cuts: [] };
    return false;
  }

  onEnd(first: number, start: number, end: number, depth: number): void {
    if (first === stringStart) return this.#checkText(start, end, depth);
    if (depth !== 1 || this.#array === undefined) return;
    this.#array.end = end - 1;
    if (this.#array.cuts.length > 0) this.longArrays.set(this.#rootKey, this.#array);
    this.#array = undefined;
  }

  onComma(at: number, depth: number): void {
    const commas = this.#commas[depth];
    if (commas === undefined) return;
    this.#commas[depth] = commas + 1;
    const { items } = this.#shape;
    if (commas >= items + slack)
      throw this.#refusal("array_above_max_length", `array length must be ${items} or less`, depth);
    if (depth !== 2 || this.#array === undefined) return;
    const { start, cuts } = this.#array;
    if (at - (cuts.at(-1) ?? start) >= this.#partBytes) cuts.push(at);
  }

  #checkText(start: number, end: number, depth: number): void {
    const { textBytes } = this.#shape;
    // Without its closing quote.
    if (end - 1 - start > textBytes + slack)
      throw this.#refusal("string_above_max_length", `a text must be ${textBytes} bytes or less`, depth);
  }

  /** Names the field of the root that the scan is in. A text right below the root belongs to the last key. */
  #refusal(code: ErrorCode, reason: string, depth: number): GatewayError {
    const param = this.#rootKey.slice(0, paramLengthMax);
    const isNamed = param !== "" && (depth > 1 || code === "string_above_max_length");
    const what = isNamed ? `Invalid '${param}'` : "The JSON body is not valid";
    return new GatewayError(code, `${what}: ${reason}.`, isNamed ? { param } : {});
  }
}

/** The text with these arrays empty. */
function without(text: Buffer, arrays: readonly LongArray[]): Buffer {
  if (arrays.length === 0) return text;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of arrays.toSorted((one, other) => one.start - other.start)) {
    pieces.push(text.subarray(from, start));
    from = end;
  }
  pieces.push(text.subarray(from));
  return Buffer.concat(pieces);
}

const asIs = (text: string): string => text;
const asArray = (text: string): string => `[${text}]`;

/** Parses a small JSON body. */
export function parseJson(body: Buffer): unknown {
  try {
    return parseText(withoutByteOrderMark(body), asIs);
  } catch (cause) {
    throw invalidJson(locateJsonFault(body), cause);
  }
}

/** Parses a part of a large JSON body. It does not know the position of a fault in the whole body. */
function parsePart(part: Buffer, wrap = asIs): unknown {
  try {
    return parseText(part, wrap);
  } catch (cause) {
    throw new BrokenJson(cause);
  }
}

function parseText(body: Buffer, wrap: (text: string) => string): unknown {
  if (!isUtf8(body)) throw new Error("The body is not UTF-8.");
  return JSON.parse(wrap(body.toString("utf8")));
}

/** The body is not JSON. It never leaves this file. */
class BrokenJson extends Error {
  constructor(cause?: unknown) {
    super("The body is not JSON.", { cause });
    this.name = "BrokenJson";
  }
}

/** The message has the position, and quotes nothing: a body may hold text that must not be in a log. */
function invalidJson(reason: string, cause: unknown): GatewayError {
  const message = `We could not parse the JSON body of your request: ${reason}.`;
  return new GatewayError("invalid_json", message, { cause });
}
