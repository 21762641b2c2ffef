import { randomBytes } from "node:crypto";
import { errorOf, type GatewayError } from "@model-gateway/domain/errors";
import { ChunkList } from "@model-gateway/runtime/chunk-list";
import {
  arrayStart,
  type JsonListener,
  JsonTokenizer,
  stringStart,
} from "@model-gateway/runtime/json-tokenizer";
import { ReplySize } from "./reply-size.js";

const nothing: Buffer = Buffer.alloc(0);

/** Stands for a value in the skeleton. It is random for each process, so that no upstream can forge it. */
const mark = randomBytes(12).toString("base64url");

/** A reply without its large values. */
export interface SeparatedReply<T> {
  /** The JSON document with a mark in the position of each value. */
  readonly skeleton: string;
  /** The value behind a mark in the skeleton; undefined for any other string. */
  readonly valueAt: (value: unknown) => T | undefined;
}

/** A key as written in a reply. */
export function jsonKey(name: string): Buffer {
  return Buffer.from(`"${name}"`);
}

/** Reads the text of a value: a string without its quotes, or an array with its brackets. */
type ReadValue<T> = (kind: "string" | "array", chunks: readonly Buffer[]) => T;

interface SeparatorOptions<T> {
  /** The keys of the values, as `jsonKey` writes them. Without keys, every array inside another one is a value. */
  readonly keys: readonly Buffer[] | undefined;
  /**
   * An array under a key is a value, and has no brackets in it. Or its strings are values. Or it stays in the skeleton.
   */
  readonly arrays: "value" | "values" | "skeleton";
  readonly read: ReadValue<T>;
  /** Limits of a reply: the number of values, their length, and the bytes around them. */
  readonly valuesMax: number;
  readonly valueBytesMax: number;
  readonly skeletonBytesMax: number;
  /** The plural noun for the values in messages. */
  readonly name: string;
}

/**
 * Separates the large values of a JSON reply from the rest while it arrives: vectors or images. JSON.parse on tens of
 * megabytes would block every other request for a second. Here a value is only searched for its end, and the skeleton
 * is small enough for JSON.parse.
 *
 * Nothing is copied: a value is a view of its chunks, and keeps them alive until it is sent. It is read as soon as it
 * is complete, while it is still in the CPU's cache.
 *
 * Memory is bounded by the request: a reply with more values, with a longer one or with too much around them is refused
 * as it arrives. After a fault all the rest is part of the skeleton, which JSON.parse refuses.
 */
export class ValueSeparator<T> implements JsonListener {
  readonly #options: SeparatorOptions<T>;
  readonly #tokenizer = new JsonTokenizer(this);
  /** In latin1: one letter for each byte. */
  #skeleton = "";
  readonly #values: T[] = [];
  #chunk: Buffer = nothing;
  /** The position of the chunk in the reply. */
  #base = 0;
  /** Up to where the chunk was added to the skeleton, or skipped. */
  #kept = 0;
  /** Start of the current value in this chunk; -1 without one. */
  #from = -1;
  /** The part of the value that earlier chunks hold. */
  #head = new ChunkList();
  #isKeyOfValue = false;
  #openArrays = 0;
  readonly #size = new ReplySize();

  constructor(options: SeparatorOptions<T>) {
    this.#options = options;
  }

  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#kept = 0;
    this.#tokenizer.push(chunk);
    this.#base += chunk.length;
    if (this.#from === -1) return this.#keep(chunk.length);
    this.#hold(chunk.subarray(this.#from));
    this.#from = 0;
  }

  end(): SeparatedReply<T> {
    // After a value without an end the skeleton is incomplete, and JSON.parse fails.
    const skeleton = Buffer.from(this.#skeleton, "latin1").toString("utf8");
    return {
      skeleton,
      valueAt: (value) => (isMark(value) ? this.#values[Number(value.slice(mark.length))] : undefined),
    };
  }

  onKey(start: number, end: number): void {
    this.#size.onKey();
    const { keys } = this.#options;
    if (keys === undefined) return;
    this.#isKeyOfValue = false;
    for (const key of keys)
      if (end - start === key.length && this.#hasAt(start, key)) this.#isKeyOfValue = true;
  }

  onBegin(first: number, at: number, depth: number): boolean {
    if (!this.#takes(first)) {
      this.#size.onBegin(first, at, depth);
      if (first === arrayStart) this.#openArrays += 1;
      return false;
    }
    this.#keep(at - this.#base);
    this.#from = at - this.#base + (first === stringStart ? 1 : 0);
    return true;
  }

  onEnd(first: number, _start: number, end: number): void {
    if (this.#from !== -1) this.#take(first, end - this.#base);
    else if (first === arrayStart) this.#openArrays -= 1;
  }

  #takes(first: number): boolean {
    const { keys, arrays } = this.#options;
    if (keys === undefined) return first === arrayStart && this.#openArrays === 1;
    if (!this.#isKeyOfValue) return false;
    const { isInObject } = this.#tokenizer;
    if (first === stringStart) return isInObject || arrays === "values";
    return first === arrayStart && isInObject && arrays === "value";
  }

  /** Whether a key is at this position of the reply. */
  #hasAt(start: number, key: Buffer): boolean {
    const from = start - this.#base;
    if (from < 0) {
      // It began in an earlier chunk, and so it is the end of the skeleton.
      this.#keep(from + key.length);
      return this.#skeleton.endsWith(key.toString("latin1"));
    }
    for (let at = 0; at < key.length; at += 1) if (this.#chunk[from + at] !== key[at]) return false;
    return true;
  }

  #take(first: number, end: number): void {
    const isArray = first === arrayStart;
    const last = this.#chunk.subarray(this.#from, isArray ? end : end - 1);
    const chunks = this.#head.bytes === 0 ? [last] : [...this.#head.chunks, last];
    if (this.#head.bytes > 0) this.#head = new ChunkList();
    const { read, valuesMax, name } = this.#options;
    if (this.#values.length >= valuesMax) throw invalidReply(`it has more ${name} than were asked for`);
    this.#skeleton += `"${mark}${this.#values.length}"`;
    this.#values.push(read(isArray ? "array" : "string", chunks));
    this.#from = -1;
    this.#kept = end;
  }

  #keep(to: number): void {
    if (to > this.#kept) this.#skeleton += this.#chunk.toString("latin1", this.#kept, to);
    this.#kept = to;
    const { skeletonBytesMax, name } = this.#options;
    if (this.#skeleton.length > skeletonBytesMax) throw invalidReply(`it has too much beside its ${name}`);
  }

  #hold(chunk: Buffer): void {
    this.#head.add(chunk);
    const { valueBytesMax, name } = this.#options;
    if (this.#head.bytes > valueBytesMax)
      throw invalidReply(`it has a value that is too long for its ${name}`);
  }
}

/** Parses the skeleton of a reply, or a reply that is small. */
export function parseReply(text: string, fault = "it is not JSON"): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the reply, which must not reach the log.
    throw invalidReply(fault);
  }
}

export function invalidReply(reason: string): GatewayError {
  return errorOf("upstream_invalid_reply", { reason });
}

function isMark(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(mark);
}
