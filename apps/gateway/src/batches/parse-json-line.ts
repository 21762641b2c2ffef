import { GatewayError } from "@model-gateway/domain/errors";
import { isObject } from "@model-gateway/runtime/json";
import { type JsonListener, JsonTokenizer, stringStart } from "@model-gateway/runtime/json-tokenizer";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import { parseJson, parseLargeJson, smallJsonBytes } from "../execution/json/parse-json.js";
import type { JsonShape } from "../execution/validation/json-schema.js";

const bodyKey = Buffer.from('"body"');
const nothing = Buffer.from("null");
/** Number of bytes scanned between two looks at the time. */
const scanBytes = 64 * 1024;

/**
 * Parses a line. The body of a long one is parsed as that of a request is: in parts, and only if its schema can accept
 * its shape. The text around the body must be short. Rejects if the line is not JSON, or has another shape.
 */
export async function parseJsonLine(text: Buffer, shape: JsonShape): Promise<unknown> {
  if (text.length <= smallJsonBytes) return parseJson(text);
  const body = await findBody(text, shape);
  return {
    ...parseAround(text, body),
    body: await parseLargeJson(text.subarray(body.start, body.end), shape),
  };
}

/** The id of a line that `parseJsonLine` has read before. A long body is not parsed for it. */
export async function readCustomId(text: Buffer, shape: JsonShape): Promise<string> {
  const line =
    text.length <= smallJsonBytes ? parseJson(text) : parseAround(text, await findBody(text, shape));
  const id = isObject(line) ? line.custom_id : undefined;
  if (typeof id === "string") return id;
  throw new Error("A line of a checked file has no 'custom_id' any more.");
}

/** A long line without its body. */
function parseAround(text: Buffer, { start, end }: BodyRange): object {
  const around = Buffer.concat([text.subarray(0, start), nothing, text.subarray(end)]);
  if (around.length > smallJsonBytes)
    throw new Error(`A line has at most ${smallJsonBytes} bytes around its body.`);
  // Its body is a member of it.
  return parseJson(around) as object;
}

interface BodyRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes of the value of `body`: none if there is no such key, the last ones if it occurs twice. */
async function findBody(text: Buffer, shape: JsonShape): Promise<BodyRange> {
  const slice = new TimeSlice();
  const search = new BodySearch(text, shape);
  const tokenizer = new JsonTokenizer(search);
  for (let at = 0; at < text.length; at += scanBytes) {
    tokenizer.push(text.subarray(at, at + scanBytes));
    if (tokenizer.fault !== undefined) break;
    if (slice.isOver) await slice.yieldBulk();
  }
  if (!tokenizer.end()) throw new Error("The line is not JSON.");
  return search;
}

class BodySearch implements JsonListener {
  start = 0;
  end = 0;
  readonly #text: Buffer;
  readonly #depthMax: number;
  /** The last key of the body. */
  #field: BodyRange | undefined;
  #isNext = false;

  constructor(text: Buffer, { depth }: JsonShape) {
    this.#text = text;
    // One more for the line itself, and one for what is refused with a better message.
    this.#depthMax = depth + 2;
  }

  onKey(start: number, end: number, depth: number): void {
    if (depth === 1) this.#isNext = this.#text.subarray(start, end).equals(bodyKey);
    if (depth === 2) this.#field = { start, end };
  }

  /** The tokenizer remembers each bracket that is open: millions of them are refused at the first one too many. */
  onBegin(first: number, at: number, depth: number): boolean {
    if (depth === 1 && this.#isNext) this.start = at;
    if (first !== stringStart && depth >= this.#depthMax) throw this.#tooDeep();
    return false;
  }

  onEnd(_first: number, _start: number, end: number, depth: number): void {
    if (depth !== 1 || !this.#isNext) return;
    this.end = end;
    this.#isNext = false;
  }

  #tooDeep(): Error {
    if (!this.#isNext || this.#field === undefined) return new Error("The line is nested too deep.");
    const { start, end } = this.#field;
    const param = this.#text.toString("utf8", start + 1, Math.min(end - 1, start + 65));
    return new GatewayError("invalid_value", `Invalid '${param}': it is nested too deep.`, { param });
  }
}
