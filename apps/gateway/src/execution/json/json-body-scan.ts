import { type ErrorCode, GatewayError } from "@model-gateway/domain/errors";
import {
  arrayStart,
  type JsonListener,
  JsonTokenizer,
  stringStart,
} from "@model-gateway/runtime/json-tokenizer";
import type { DataUrlPath, JsonShape } from "../validation/json-schema.js";
import type { ByteSpan } from "./body-data-urls.js";
import { withoutByteOrderMark } from "./json-fault.js";

/** Number of bytes scanned in one step. */
const stepBytes = 64 * 1024;
/** Extra keys and items that a body may have beyond its schema. The validator names an extra field better than the scan. */
const slack = 100;
/** With the quote before it. */
const dataUrlStarts: ReadonlySet<string> = new Set(['"data:', '"DATA:']);
/** A shorter data URL is parsed as any other string. */
const longDataUrlBytes = 16 * 1024;
/** A caller chooses its keys, and an error must stay short. */
const paramLengthMax = 100;

/** An array right below the root, and the commas at which it is divided. */
interface LongArray {
  /** After its bracket. */
  readonly start: number;
  /** At its closing bracket. */
  end: number;
  readonly cuts: number[];
}

/**
 * Reads a JSON body without creating a value, as a whole or while it arrives. It finds the long arrays of the root, and
 * throws at the first byte of a shape that the schema cannot accept.
 */
export class JsonBodyScan {
  readonly #listener: BodyListener;
  readonly #tokenizer: JsonTokenizer;
  #scanned = 0;

  /** @param partBytes A long array is divided into parts of about this size. */
  constructor(shape: JsonShape, partBytes: number) {
    this.#listener = new BodyListener(shape, partBytes);
    this.#tokenizer = new JsonTokenizer(this.#listener);
  }

  /** By key. If a key occurs twice, the last one counts. */
  get longArrays(): ReadonlyMap<string, LongArray> {
    return this.#listener.longArrays;
  }

  /** The long strings at the place of data URLs, without their quotes. */
  get dataUrls(): readonly ByteSpan[] {
    return this.#listener.dataUrls;
  }

  /**
   * Scans some of the bytes that it has not seen. Returns whether there are more.
   *
   * @param body All that has arrived: at least as much as a byte order mark, and the same bytes as before.
   */
  step(body: Buffer): boolean {
    const text = withoutByteOrderMark(body);
    const end = Math.min(text.length, this.#scanned + stepBytes);
    this.#listener.text = text;
    this.#tokenizer.push(text.subarray(this.#scanned, end));
    this.#scanned = end;
    const { openString } = this.#tokenizer;
    if (openString !== undefined) this.#listener.checkText(openString, end);
    return end < text.length;
  }

  /** Ends the text. Returns whether it was one whole value. */
  end(): boolean {
    return this.#tokenizer.end() && !this.#listener.hasBrokenKey;
  }
}

class BodyListener implements JsonListener {
  readonly longArrays = new Map<string, LongArray>();
  readonly dataUrls: ByteSpan[] = [];
  /** The bytes up to the current token, and maybe more. */
  text: Buffer = Buffer.alloc(0);
  hasBrokenKey = false;
  readonly #shape: JsonShape;
  readonly #partBytes: number;
  /** The depth of the deepest data URL. */
  readonly #dataUrlDepth: number;
  /** The commas of the open array at each depth; undefined where an object is open. */
  readonly #commas: (number | undefined)[] = [];
  /** The keys of the open object at each depth. */
  readonly #objectKeys: number[] = [];
  /** The last key at each depth, with its quotes. */
  readonly #keyRanges: ByteSpan[] = [];
  #array: LongArray | undefined;
  #containers = 0;
  #keys = 0;
  #rootKey = "";

  constructor(shape: JsonShape, partBytes: number) {
    this.#shape = shape;
    this.#partBytes = partBytes;
    this.#dataUrlDepth = Math.max(0, ...shape.dataUrlPaths.map(({ length }) => length));
  }

  onKey(start: number, end: number, depth: number): void {
    this.checkText(start, end - 1);
    this.#keys += 1;
    const objectKeys = (this.#objectKeys[depth] ?? 0) + 1;
    this.#objectKeys[depth] = objectKeys;
    // Of one object as well: where a schema has thousands of them, all keys together may be in a single one.
    if (this.#keys > this.#shape.keys + slack || objectKeys > this.#shape.objectKeys + slack)
      throw this.#refusal("invalid_value", "it has too many fields", 1);
    if (depth <= this.#dataUrlDepth) this.#keyRanges[depth] = { start, end };
    if (depth !== 1) return;
    try {
      this.#rootKey = JSON.parse(this.text.toString("utf8", start, end));
    } catch {
      this.hasBrokenKey = true;
    }
    this.longArrays.delete(this.#rootKey);
  }

  onBegin(first: number, at: number, outer: number): boolean {
    if (first === stringStart) return false;
    const depth = outer + 1;
    this.#commas[depth] = first === arrayStart ? 0 : undefined;
    this.#objectKeys[depth] = 0;
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
    if (first === stringStart) {
      this.checkText(start, end - 1);
      if (end - start >= longDataUrlBytes && this.#isAtDataUrl(depth))
        this.dataUrls.push({ start: start + 1, end: end - 1 });
      return;
    }
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

  /** Checks a string from its opening quote to its last byte, or as far as it has arrived. */
  checkText(start: number, end: number): void {
    const { textBytes, dataUrlBytes } = this.#shape;
    const bytes = end - start;
    if (bytes > textBytes + slack && !(bytes <= dataUrlBytes + slack && this.#isDataUrl(start)))
      throw this.#refusal("string_above_max_length", `a text must be ${textBytes} bytes or less`, 1);
  }

  #isDataUrl(start: number): boolean {
    return dataUrlStarts.has(this.text.toString("latin1", start, start + 6));
  }

  #isAtDataUrl(depth: number): boolean {
    const leadsHere = (path: DataUrlPath) =>
      path.length === depth && path.every((key, index) => this.#isInside(key, index + 1));
    return this.#shape.dataUrlPaths.some(leadsHere);
  }

  /** Whether the container that is open at a depth is an array, or an object whose last key is this one. */
  #isInside(key: string | undefined, depth: number): boolean {
    const isArray = this.#commas[depth] !== undefined;
    if (key === undefined || isArray) return key === undefined && isArray;
    const { start, end } = this.#keyRanges[depth] ?? { start: 0, end: 0 };
    return this.text.toString("latin1", start, end) === `"${key}"`;
  }

  /** Names the field of the root that the scan is in. A text right below the root belongs to the last key. */
  #refusal(code: ErrorCode, reason: string, depth: number): GatewayError {
    const param = this.#rootKey.slice(0, paramLengthMax);
    const isNamed = param !== "" && (depth > 1 || code === "string_above_max_length");
    const what = isNamed ? `Invalid '${param}'` : "The JSON body is not valid";
    return new GatewayError(code, `${what}: ${reason}.`, isNamed ? { param } : {});
  }
}
