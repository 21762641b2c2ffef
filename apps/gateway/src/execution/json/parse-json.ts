import { isUtf8 } from "node:buffer";
import type { RequestMemory } from "@model-gateway/domain/call-context";
import { GatewayError } from "@model-gateway/domain/errors";
import type { DataUrls } from "@model-gateway/domain/image-input";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { JsonShape } from "../validation/json-schema.js";
import { BodyDataUrls, type Replacement } from "./body-data-urls.js";
import { JsonBodyScan } from "./json-body-scan.js";
import { locateJsonFault, locateLargeJsonFault, withoutByteOrderMark } from "./json-fault.js";

/** A body of up to this size cannot block the event loop for long, whatever is in it. */
export const smallJsonBytes = 64 * 1024;
/** A long array is parsed in parts of about this size. */
const defaultPartBytes = 128 * 1024;

/** While it is parsed, a body is in memory as bytes, as text and as values. */
const memoryFactor = 3;

/** A body that waits for memory, and its caller. */
interface WaitingBody {
  readonly memory: Pick<RequestMemory, "takeForBody">;
  readonly signal: AbortSignal;
  readonly caller: string;
}

/** Takes memory for a JSON body of so many bytes. Undefined where there is enough. */
export function takeMemory(
  bytes: number,
  { memory, caller, signal }: WaitingBody,
): Promise<void> | undefined {
  return memory.takeForBody(memoryFactor * bytes, { caller, signal });
}

/** Parses a JSON body of any size. */
export function parseLargeJson(body: Buffer, shape: JsonShape, partBytes?: number): Promise<unknown> {
  return new LargeJson(shape, partBytes).parse(body);
}

/**
 * A JSON body of any size. First it is scanned: a body that is nested deeper, has more arrays, objects, keys or items, or
 * a longer text than its schema can accept, is refused before an object is created for it. The scan may begin before all
 * of the body is there. Then it is parsed in parts. Other requests run in between.
 */
export class LargeJson {
  readonly #scan: JsonBodyScan;

  constructor(shape: JsonShape, partBytes = defaultPartBytes) {
    this.#scan = new JsonBodyScan(shape, partBytes);
  }

  /** Scans what has arrived since the last call. Throws where the body is refused. */
  scan(arrived: Buffer): void {
    while (this.#scan.step(arrived));
  }

  /** The whole value. */
  async parse(body: Buffer): Promise<unknown> {
    const slice = new TimeSlice();
    await this.#scanRest(body, slice);
    return this.#parseInParts(body, [], slice);
  }

  /** The value, with long data URLs apart. They stay in the memory of the body, which is theirs from then on. */
  async parseApart(body: Buffer): Promise<ParsedJson> {
    const slice = new TimeSlice();
    await this.#scanRest(body, slice);
    const found = new BodyDataUrls(withoutByteOrderMark(body));
    await found.find(this.#scan.dataUrls, slice);
    const value = await this.#parseInParts(body, found.replacements, slice);
    return { value, dataUrls: found.base64 };
  }

  async #scanRest(body: Buffer, slice: TimeSlice): Promise<void> {
    while (this.#scan.step(body)) if (slice.isOver) await slice.yield();
    if (!this.#scan.end()) throw invalidJson(await locateLargeJsonFault(body), undefined);
  }

  async #parseInParts(body: Buffer, replaced: readonly Replacement[], slice: TimeSlice): Promise<unknown> {
    try {
      return await this.#parseText(withoutByteOrderMark(body), replaced, slice);
    } catch (failure) {
      if (!(failure instanceof BrokenJson)) throw failure;
      throw invalidJson(await locateLargeJsonFault(body), failure.cause);
    }
  }

  async #parseText(text: Buffer, replaced: readonly Replacement[], slice: TimeSlice): Promise<unknown> {
    const arrays = [...this.#scan.longArrays];
    const emptied = arrays.map(([, { start, end }]) => ({ start, end, by: noBytes }));
    const root = parsePart(replace(text, [...emptied, ...replaced]));
    for (const [key, { start, end, cuts }] of arrays) {
      const value: unknown[] = [];
      let from = start;
      for (const cut of [...cuts, end]) {
        const within = replaced.filter((one) => one.start > from && one.end < cut);
        const part = replace(text.subarray(0, cut), within, from);
        for (const item of parsePart(part, asArray) as unknown[]) value.push(item);
        from = cut + 1;
        if (slice.isOver) await slice.yield();
      }
      // Not an assignment: the key may be `__proto__`.
      Object.defineProperty(root, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return root;
  }
}

export interface ParsedJson {
  readonly value: unknown;
  readonly dataUrls?: DataUrls | undefined;
}

const noBytes = Buffer.alloc(0);

/** The text from a position on, with these ranges replaced. A range inside of one before it is ignored. */
function replace(text: Buffer, replaced: readonly Replacement[], start = 0): Buffer {
  if (replaced.length === 0) return text.subarray(start);
  const pieces: Buffer[] = [];
  let from = start;
  for (const { start, end, by } of replaced.toSorted((one, other) => one.start - other.start)) {
    if (start < from) continue;
    pieces.push(text.subarray(from, start), by);
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
