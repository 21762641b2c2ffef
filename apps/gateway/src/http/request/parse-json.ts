import { isUtf8 } from "node:buffer";
import { type ErrorCode, GatewayError } from "../../errors.js";
import { TimeSlice } from "../../runtime/time-slice.js";
import { locateJsonFault, locateLargeJsonFault } from "./json-fault.js";
import type { JsonShape } from "./json-schema.js";

/** A body of up to this size cannot block the event loop for long, whatever is in it. */
export const smallJsonBytes = 64 * 1024;
/** A long array is parsed in parts of about this size. */
const defaultPartBytes = 128 * 1024;
/** How many bytes are scanned between two looks at the time. */
const scanBytes = 64 * 1024;
/** What a body may have beyond its schema. The validator names a field that is too much better than the scan. */
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
  return new LargeJson(body, shape, partBytes).parse().catch(async (failure) => {
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

class LargeJson {
  readonly #body: Buffer;
  readonly #shape: JsonShape;
  readonly #partBytes: number;
  readonly #slice = new TimeSlice();
  /** The commas of the open array at each depth; undefined where an object is open. */
  readonly #commas: (number | undefined)[] = [];
  /** The keys of the root, with the array where it is a long one. If a key occurs twice, the last one counts. */
  readonly #members = new Map<string, LongArray | undefined>();
  #containers = 0;
  #keys = 0;
  #rootKey = "";

  constructor(body: Buffer, shape: JsonShape, partBytes: number) {
    this.#body = body;
    this.#shape = shape;
    this.#partBytes = partBytes;
  }

  async parse(): Promise<unknown> {
    await this.#scan();
    const arrays = [...this.#members].flatMap(([key, array]) =>
      array === undefined ? [] : [{ key, ...array }],
    );
    const root = parsePart(this.#without(arrays));
    for (const { key, ...array } of arrays) {
      const value = await this.#parseArray(array);
      // Not an assignment: the key may be `__proto__`.
      Object.defineProperty(root, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return root;
  }

  /** Finds the long arrays of the root, and refuses a shape that the schema cannot accept. */
  async #scan(): Promise<void> {
    const body = this.#body;
    let nextLook = 0;
    let depth = 0;
    let array: LongArray | undefined;
    /** Where the open string began; -1 outside strings. */
    let stringStart = -1;
    for (let at = 0; at < body.length; at += 1) {
      if (at >= nextLook) {
        if (this.#slice.isOver) await this.#slice.yield();
        nextLook = at + scanBytes;
      }
      if (stringStart !== -1) {
        at = body.indexOf(quote, at);
        if (at === -1) throw new BrokenJson();
        if (isEscaped(body, at)) continue;
        if (at - stringStart > this.#shape.textBytes + slack) throw this.#textTooLong(depth);
        if (depth === 1) this.#readKey(stringStart, at);
        stringStart = -1;
        continue;
      }
      switch (body[at]) {
        case quote:
          stringStart = at;
          break;
        case openBrace:
          depth += 1;
          this.#enter(depth, undefined);
          break;
        case openBracket:
          depth += 1;
          this.#enter(depth, 0);
          if (depth === 2) array = { start: at + 1, end: at + 1, cuts: [] };
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          if (depth < 0) throw new BrokenJson();
          if (depth === 1 && array !== undefined) {
            array.end = at;
            if (array.cuts.length > 0) this.#members.set(this.#rootKey, array);
            array = undefined;
          }
          break;
        case comma:
          this.#countItem(depth);
          if (
            depth === 2 &&
            array !== undefined &&
            at - (array.cuts.at(-1) ?? array.start) >= this.#partBytes
          )
            array.cuts.push(at);
          break;
        case colon:
          this.#countKey();
          break;
      }
    }
    if (depth !== 0 || stringStart !== -1) throw new BrokenJson();
    // A root that is an array has no keys.
    if (this.#commas[1] !== undefined) this.#members.clear();
  }

  /** @param commas 0 for an array; undefined for an object. */
  #enter(depth: number, commas: 0 | undefined): void {
    this.#commas[depth] = commas;
    this.#containers += 1;
    if (depth > this.#shape.depth + 1) throw this.#refusal("invalid_value", "it is nested too deep", depth);
    if (this.#containers > this.#shape.containers + slack)
      throw this.#refusal("invalid_value", "it has too many arrays and objects", depth);
  }

  #countItem(depth: number): void {
    const commas = this.#commas[depth];
    if (commas === undefined) return;
    this.#commas[depth] = commas + 1;
    const { items } = this.#shape;
    if (commas >= items + slack)
      throw this.#refusal("array_above_max_length", `array length must be ${items} or less`, depth);
  }

  #textTooLong(depth: number): GatewayError {
    return this.#refusal(
      "string_above_max_length",
      `a text must be ${this.#shape.textBytes} bytes or less`,
      depth,
    );
  }

  #countKey(): void {
    this.#keys += 1;
    if (this.#keys > this.#shape.keys + slack)
      throw this.#refusal("invalid_value", "it has too many fields", 1);
  }

  /** Notes a string of the root if it is a key. */
  #readKey(start: number, end: number): void {
    if (this.#body[skipSpace(this.#body, end + 1)] !== colon) return;
    this.#rootKey = parsePart(this.#body.subarray(start, end + 1)) as string;
    this.#members.set(this.#rootKey, undefined);
  }

  /** Names the field of the root that the scan is in. A text right below the root belongs to the last key. */
  #refusal(code: ErrorCode, reason: string, depth: number): GatewayError {
    const param = this.#rootKey.slice(0, paramLengthMax);
    const isNamed = param !== "" && (depth > 1 || code === "string_above_max_length");
    const what = isNamed ? `Invalid '${param}'` : "The JSON body is not valid";
    return new GatewayError(code, `${what}: ${reason}.`, isNamed ? { param } : {});
  }

  /** The body with these arrays empty. */
  #without(arrays: readonly LongArray[]): Buffer {
    if (arrays.length === 0) return this.#body;
    const pieces: Buffer[] = [];
    let from = 0;
    for (const { start, end } of arrays.toSorted((one, other) => one.start - other.start)) {
      pieces.push(this.#body.subarray(from, start));
      from = end;
    }
    pieces.push(this.#body.subarray(from));
    return Buffer.concat(pieces);
  }

  async #parseArray({ start, end, cuts }: LongArray): Promise<unknown[]> {
    const items: unknown[] = [];
    let from = start;
    for (const cut of [...cuts, end]) {
      const part = parsePart(this.#body.subarray(from, cut), asArray) as unknown[];
      // A comma too much.
      if (part.length === 0) throw new BrokenJson();
      for (const item of part) items.push(item);
      from = cut + 1;
      if (this.#slice.isOver) await this.#slice.yield();
    }
    return items;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** Whether a quote is part of its string. */
function isEscaped(body: Buffer, at: number): boolean {
  let backslashes = 0;
  while (body[at - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

function skipSpace(body: Buffer, at: number): number {
  let index = at;
  while (body[index] === 0x20 || body[index] === 0x0a || body[index] === 0x0d || body[index] === 0x09)
    index += 1;
  return index;
}

const byteOrderMark = 0xfeff;
const asIs = (text: string): string => (text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text);
const asArray = (text: string): string => `[${text}]`;

/** Parses a small JSON body. */
export function parseJson(body: Buffer): unknown {
  try {
    return parseText(body, asIs);
  } catch (cause) {
    throw invalidJson(locateJsonFault(body), cause);
  }
}

/** Parses a part of a large JSON body. Where the fault is in the whole body, it does not know. */
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

/** The message says where, and quotes nothing: a body may hold what must not be in a log. */
function invalidJson(reason: string, cause: unknown): GatewayError {
  const message = `We could not parse the JSON body of your request: ${reason}.`;
  return new GatewayError("invalid_json", message, { cause });
}
