import { lengthByTier } from "@model-gateway/test-suite/tier";
import fc from "fast-check";
import { expect, test } from "vitest";
import { arrayStart, type JsonListener, JsonTokenizer, stringStart } from "./json-tokenizer.js";

interface OpenContainer {
  readonly isArray: boolean;
  readonly parts: string[];
}

/** Builds a text's value from the tokenizer's reports. */
class Builder implements JsonListener {
  readonly #text: Buffer;
  readonly #open: OpenContainer[] = [{ isArray: true, parts: [] }];
  #key = "";

  constructor(text: Buffer) {
    this.#text = text;
  }

  get value(): unknown {
    return JSON.parse(this.#open[0]?.parts.join() ?? "");
  }

  onKey(start: number, end: number, depth: number): void {
    this.#check(depth);
    this.#key = this.#slice(start, end);
  }

  onBegin(first: number, at: number, depth: number): boolean {
    this.#check(depth);
    if (this.#text[at] !== first) throw new Error(`There is no such value at ${at}.`);
    if (first !== stringStart) {
      this.#add("");
      this.#open.push({ isArray: first === arrayStart, parts: [] });
    }
    return false;
  }

  onEnd(first: number, start: number, end: number): void {
    if (first === stringStart) return this.#add(this.#slice(start, end));
    const { isArray, parts } = this.#open.pop() as OpenContainer;
    const holder = this.#open.at(-1)?.parts as string[];
    holder[holder.length - 1] += isArray ? `[${parts}]` : `{${parts}}`;
  }

  onScalar(start: number, end: number): void {
    this.#add(this.#slice(start, end));
  }

  #check(depth: number): void {
    if (depth !== this.#open.length - 1) throw new Error(`The depth is not ${depth}.`);
  }

  #add(value: string): void {
    const holder = this.#open.at(-1) as OpenContainer;
    holder.parts.push(holder.isArray ? value : `${this.#key}:${value}`);
  }

  #slice(start: number, end: number): string {
    return this.#text.toString("utf8", start, end);
  }
}

function tokenize(text: Buffer, chunkBytes: number, listener: JsonListener): JsonTokenizer {
  const tokenizer = new JsonTokenizer(listener);
  for (let at = 0; at < text.length; at += chunkBytes) tokenizer.push(text.subarray(at, at + chunkBytes));
  return tokenizer;
}

/** The value, from the tokens, or "invalid" if the tokens or one of their texts are not JSON. */
function readTokens(text: Buffer, chunkBytes: number): unknown {
  const builder = new Builder(text);
  if (!tokenize(text, chunkBytes, builder).end()) return "invalid";
  try {
    return { value: builder.value };
  } catch {
    return "invalid";
  }
}

function reference(text: Buffer): unknown {
  try {
    return { value: JSON.parse(text.toString("utf8")) };
  } catch {
    return "invalid";
  }
}

test("its tokens equal those of JSON.parse, wherever the chunks end", () => {
  fc.assert(
    fc.property(
      fc.json({ depthSize: "medium" }),
      fc.integer({ min: 1, max: 40 }),
      fc.nat(2),
      (json, size, indent) => {
        const text = Buffer.from(JSON.stringify(JSON.parse(json), null, indent));

        expect(readTokens(text, size)).toEqual(reference(text));
      },
    ),
    { numRuns: lengthByTier({ short: 400, full: 3000 }), seed: 20261117 },
  );
});

test("it refuses the same texts as JSON.parse, and no others", () => {
  const damage = fc.record({
    at: fc.nat(),
    removed: fc.nat(2),
    inserted: fc.constantFrom(
      "",
      ",",
      "[",
      "]",
      "{",
      "}",
      '"',
      "\\",
      ":",
      " ",
      "1",
      "-",
      ".",
      "e",
      "\n",
      "\ufeff",
    ),
  });
  fc.assert(
    fc.property(
      fc.json(),
      damage,
      fc.integer({ min: 1, max: 40 }),
      (json, { at, removed, inserted }, size) => {
        const from = at % (json.length + 1);
        const text = Buffer.from(`${json.slice(0, from)}${inserted}${json.slice(from + removed)}`);

        expect(readTokens(text, size)).toEqual(reference(text));
      },
    ),
    { numRuns: lengthByTier({ short: 400, full: 3000 }), seed: 20261117 },
  );
});

test.each([
  ['{"a":1,}', 7],
  ["[1 2]", 3],
  ['{"a" 1}', 5],
  ["[}", 1],
  ['["a":1]', 4],
  ["{} x", 3],
  ["{1:2}", 1],
])("%s has its fault at %i, and nothing is read from there on", (text, fault) => {
  for (const size of [1, 2, 100]) {
    const tokenizer = tokenize(Buffer.from(`${text} [1]`), size, new Builder(Buffer.from(text)));

    expect(tokenizer.fault).toBe(fault);
    expect(tokenizer.end()).toBe(false);
  }
});

test.each([1, 3, 100])("a value that is taken is not read, in chunks of %i bytes", (size) => {
  const text = Buffer.from('{"a":[1,"{",:],"b":["c"],"d":"e"}');
  const seen: string[] = [];
  const slice = (start: number, end: number) => text.toString("utf8", start, end);
  const listener: JsonListener = {
    onKey: (start, end) => void seen.push(slice(start, end)),
    onBegin: (first, _at, depth) => first === arrayStart && depth === 1 && seen.at(-1) === '"a"',
    onEnd: (_first, start, end) => void seen.push(start === -1 ? "end" : slice(start, end)),
  };

  expect(tokenize(text, size, listener).end()).toBe(true);
  expect(seen).toEqual(['"a"', '[1,"{",:]', '"b"', '"c"', "end", '"d"', '"e"', "end"]);
});
