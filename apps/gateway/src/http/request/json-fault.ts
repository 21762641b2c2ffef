import { TimeSlice } from "../../runtime/time-slice.js";

/** How many bytes are read between two looks at the time. */
const stepBytes = 64 * 1024;

/** Says where a body stops being JSON, without quoting it. For bodies that `JSON.parse` has refused. */
export function locateJsonFault(body: Buffer): string {
  const reader = new JsonReader(body);
  reader.readTo(body.length);
  return reader.describe();
}

/** The same for a body of any size: other requests run in between. */
export async function locateLargeJsonFault(body: Buffer): Promise<string> {
  const reader = new JsonReader(body);
  const slice = new TimeSlice();
  for (let end = stepBytes; !reader.readTo(Math.min(end, body.length)) && end < body.length; end += stepBytes)
    if (slice.isOver) await slice.yield();
  return reader.describe();
}

/** What may come next, by the grammar of RFC 8259. */
type State =
  | "value"
  | "value or ]"
  | "key"
  | "key or }"
  | "colon"
  | "after value"
  | "string"
  | "escape"
  | "hex"
  | "literal"
  | "minus"
  | "zero"
  | "integer"
  | "point"
  | "fraction"
  | "exponent"
  | "exponent sign"
  | "exponent digits";

/** The end of a number shows only in what follows it. */
const numberMayEnd: ReadonlySet<State> = new Set(["zero", "integer", "fraction", "exponent digits"]);

/** Reads JSON byte by byte up to the first one that cannot be there. It keeps no value, so it needs little memory. */
class JsonReader {
  readonly #body: Buffer;
  /** For each open container, whether it is an object. */
  readonly #open: boolean[] = [];
  #state: State = "value";
  #isKey = false;
  /** What is left of `true`, `false` or `null`, or of the four digits of an escape. */
  #left = "";
  #at: number;
  #line = 1;
  #column = 1;
  #isFaulty = false;
  #isEmpty = true;

  constructor(body: Buffer) {
    this.#body = body;
    // JSON.parse is given the text without its byte order mark.
    this.#at = body.indexOf("\ufeff") === 0 ? 3 : 0;
  }

  /** Returns whether a fault was found. */
  readTo(end: number): boolean {
    for (; this.#at < end && !this.#isFaulty; this.#at += 1) {
      const byte = this.#body[this.#at] ?? 0;
      if (!this.#accepts(byte)) {
        this.#isFaulty = true;
        break;
      }
      if (byte === 0x0a) {
        this.#line += 1;
        this.#column = 1;
      } else if ((byte & 0xc0) !== 0x80) {
        // Only the first byte of a character counts.
        this.#column += 1;
      }
    }
    return this.#isFaulty;
  }

  describe(): string {
    const place = `line ${this.#line}, column ${this.#column}`;
    if (this.#isFaulty) return `there is an unexpected character at ${place}`;
    if (this.#isEmpty) return "it is empty";
    const isComplete =
      this.#open.length === 0 && (this.#state === "after value" || numberMayEnd.has(this.#state));
    return isComplete ? "it is not UTF-8" : `it ends too early, at ${place}`;
  }

  #accepts(byte: number): boolean {
    if (this.#state === "string") return this.#acceptsInString(byte);
    const character = String.fromCharCode(byte);
    if (numberMayEnd.has(this.#state) && !"0123456789.eE+-".includes(character)) this.#state = "after value";
    if (isSpace(byte) && betweenTokens.has(this.#state)) return true;
    this.#isEmpty = false;
    switch (this.#state) {
      case "value":
        return this.#beginValue(character);
      case "value or ]":
        return character === "]" ? this.#close(false) : this.#beginValue(character);
      case "key or }":
        return character === "}" ? this.#close(true) : this.#beginKey(character);
      case "key":
        return this.#beginKey(character);
      case "colon":
        return character === ":" && this.#go("value");
      case "after value":
        return this.#acceptsAfterValue(character);
      case "escape":
        if (character === "u") return this.#expect("hex", "0000");
        return '"\\/bfnrt'.includes(character) && this.#go("string");
      case "hex":
        return /[0-9a-fA-F]/.test(character) && this.#shorten("string");
      case "literal":
        return character === this.#left[0] && this.#shorten("after value");
      default:
        return this.#acceptsInNumber(character);
    }
  }

  #acceptsInString(byte: number): boolean {
    if (byte === 0x22) return this.#go(this.#isKey ? "colon" : "after value");
    if (byte === 0x5c) return this.#go("escape");
    return byte >= 0x20;
  }

  #beginValue(character: string): boolean {
    this.#isKey = false;
    if (character === '"') return this.#go("string");
    if (character === "{") return this.#enter(true);
    if (character === "[") return this.#enter(false);
    if (character === "-") return this.#go("minus");
    if (character === "t") return this.#expect("literal", "rue");
    if (character === "f") return this.#expect("literal", "alse");
    if (character === "n") return this.#expect("literal", "ull");
    return this.#beginInteger(character);
  }

  #beginKey(character: string): boolean {
    this.#isKey = true;
    return character === '"' && this.#go("string");
  }

  #beginInteger(character: string): boolean {
    if (character === "0") return this.#go("zero");
    return isDigit(character) && this.#go("integer");
  }

  #acceptsAfterValue(character: string): boolean {
    const isObject = this.#open.at(-1);
    if (isObject === undefined) return false;
    if (character === ",") return this.#go(isObject ? "key" : "value");
    return character === (isObject ? "}" : "]") && this.#close(isObject);
  }

  #acceptsInNumber(character: string): boolean {
    const state = this.#state;
    if (state === "minus") return this.#beginInteger(character);
    if (isDigit(character)) {
      if (state === "point") return this.#go("fraction");
      if (state === "exponent" || state === "exponent sign") return this.#go("exponent digits");
      return state !== "zero";
    }
    if (character === ".") return (state === "zero" || state === "integer") && this.#go("point");
    if (character === "e" || character === "E")
      return (state === "zero" || state === "integer" || state === "fraction") && this.#go("exponent");
    return state === "exponent" && "+-".includes(character) && this.#go("exponent sign");
  }

  #enter(isObject: boolean): true {
    this.#open.push(isObject);
    return this.#go(isObject ? "key or }" : "value or ]");
  }

  #close(isObject: boolean): boolean {
    return this.#open.pop() === isObject && this.#go("after value");
  }

  #expect(state: State, left: string): true {
    this.#left = left;
    return this.#go(state);
  }

  #shorten(then: State): true {
    this.#left = this.#left.slice(1);
    return this.#left === "" ? this.#go(then) : true;
  }

  #go(state: State): true {
    this.#state = state;
    return true;
  }
}

const betweenTokens: ReadonlySet<State> = new Set([
  "value",
  "value or ]",
  "key",
  "key or }",
  "colon",
  "after value",
]);

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}
