import type { JsonShape } from "../http/request/json-schema.js";
import { parseJson, parseLargeJson, smallJsonBytes } from "../http/request/parse-json.js";
import { type JsonListener, JsonTokenizer } from "../runtime/json-tokenizer.js";
import { TimeSlice } from "../runtime/time-slice.js";

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
  const { start, end } = await findBody(text);
  const around = Buffer.concat([text.subarray(0, start), nothing, text.subarray(end)]);
  if (around.length > smallJsonBytes)
    throw new Error(`A line has at most ${smallJsonBytes} bytes around its body.`);
  const line = parseJson(around) as object;
  return { ...line, body: await parseLargeJson(text.subarray(start, end), shape) };
}

/** The bytes of the value of `body`: none if there is no such key, the last ones if it occurs twice. */
async function findBody(text: Buffer): Promise<{ readonly start: number; readonly end: number }> {
  const slice = new TimeSlice();
  const search = new BodySearch(text);
  const tokenizer = new JsonTokenizer(search);
  for (let at = 0; at < text.length; at += scanBytes) {
    tokenizer.push(text.subarray(at, at + scanBytes));
    if (slice.isOver) await slice.yield();
  }
  if (!tokenizer.end()) throw new Error("The line is not JSON.");
  return search;
}

class BodySearch implements JsonListener {
  start = 0;
  end = 0;
  readonly #text: Buffer;
  #isNext = false;

  constructor(text: Buffer) {
    this.#text = text;
  }

  onKey(start: number, end: number, depth: number): void {
    if (depth === 1) this.#isNext = this.#text.subarray(start, end).equals(bodyKey);
  }

  onBegin(_first: number, at: number, depth: number): boolean {
    if (depth === 1 && this.#isNext) this.start = at;
    return false;
  }

  onEnd(_first: number, _start: number, end: number, depth: number): void {
    if (depth !== 1 || !this.#isNext) return;
    this.end = end;
    this.#isNext = false;
  }
}
