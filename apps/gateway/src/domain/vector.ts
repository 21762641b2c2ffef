/**
 * One embedding. It keeps the encoding it arrived in (JSON text, base64 or float32) and converts only when another is
 * asked for: most answers leave in the encoding they came in, and never become numbers on the way.
 */
export class Vector {
  readonly width: number;
  #floats: Float32Array | undefined;
  readonly #json: VectorText | undefined;
  readonly #base64: VectorText | undefined;
  #isFinite: boolean | undefined;

  private constructor(
    width: number,
    floats: Float32Array | undefined,
    json: VectorText | undefined,
    base64: VectorText | undefined,
    holdsNumbers: boolean | undefined,
  ) {
    this.width = width;
    this.#floats = floats;
    this.#json = json;
    this.#base64 = base64;
    this.#isFinite = holdsNumbers;
  }

  /** @param json The same numbers as a JSON array, where somebody has written it already. */
  static fromFloats(floats: Float32Array, json?: Buffer): Vector {
    return new Vector(floats.length, floats, json && [json], undefined, undefined);
  }

  static fromNumbers(numbers: ArrayLike<number>): Vector {
    return Vector.fromFloats(numbers instanceof Float32Array ? numbers : Float32Array.from(numbers));
  }

  /** @param base64 Little-endian float32, as OpenAI writes it. A width that is no whole number is a fault of it. */
  static fromBase64(base64: string): Vector {
    const bytes = Buffer.from(base64, "base64");
    const width = bytes.length / 4;
    const holdsNumbers = Number.isInteger(width) && areFinite(floatsOfBytes(bytes));
    return new Vector(width, undefined, undefined, base64, holdsNumbers);
  }

  /** @param base64 Little-endian float32 that are finite numbers; whoever gives it has checked it. */
  static fromCheckedBase64(base64: readonly Buffer[], width: number): Vector {
    return new Vector(width, undefined, undefined, base64, true);
  }

  /** @param json A JSON array of finite numbers; whoever gives it has checked it. */
  static fromJson(json: readonly Buffer[], width: number): Vector {
    return new Vector(width, undefined, json, undefined, true);
  }

  /** Whether every value is a number that can be compared: one NaN makes each search that meets it wrong. */
  get isFinite(): boolean {
    this.#isFinite ??= areFinite(this.toFloats());
    return this.#isFinite;
  }

  toFloats(): Float32Array {
    this.#floats ??=
      this.#base64 === undefined
        ? Float32Array.from(JSON.parse(joined(this.#json ?? "[]")))
        : floatsOfBytes(Buffer.from(joined(this.#base64), "base64"));
    return this.#floats;
  }

  toNumbers(): number[] {
    return Array.from(this.toFloats());
  }

  /** How long it is in an encoding, where that is known without writing it. */
  lengthAs(encoding: "float" | "base64"): number | undefined {
    if (encoding === "float") return this.#json === undefined ? undefined : lengthOf(this.#json);
    return this.#base64 === undefined ? 4 * Math.ceil((this.width * 4) / 3) : lengthOf(this.#base64);
  }

  toJson(): VectorText {
    return this.#json ?? jsonOfFloats(this.toFloats());
  }

  toBase64(): VectorText {
    return this.#base64 ?? littleEndianBytes(this.toFloats()).toString("base64");
  }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Nothing times a number is nothing; times infinity or NaN it is NaN, and so is every sum with that. */
function areFinite(floats: Float32Array): boolean {
  let sum = 0;
  for (let index = 0; index < floats.length; index += 1) sum += (floats[index] as number) * 0;
  return sum === 0;
}

/** Reads little-endian float32, in their place where that can be; bytes that are no whole number are left over. */
export function floatsOfBytes(bytes: Buffer): Float32Array {
  const width = Math.floor(bytes.length / 4);
  // Small buffers are parts of larger ones, which a vector would keep alive.
  if (isLittleEndian && bytes.length === bytes.buffer.byteLength)
    return new Float32Array(bytes.buffer, 0, width);
  const floats = new Float32Array(width);
  const target = Buffer.from(floats.buffer);
  bytes.copy(target, 0, 0, target.length);
  if (!isLittleEndian) target.swap32();
  return floats;
}

export function littleEndianBytes(floats: Float32Array): Buffer {
  const bytes = Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength);
  return isLittleEndian ? bytes : Buffer.from(bytes).swap32();
}

/**
 * Ten decimals are enough for most float32 values below one, and half as long as the double behind them. Strings are
 * joined one by one because that is three times as fast as JSON.stringify on a list.
 */
export function jsonOfFloats(floats: Float32Array): string {
  let text = "[";
  for (let index = 0; index < floats.length; index += 1) {
    const value = floats[index] ?? 0;
    const brief = Math.round(value * 1e10) / 1e10;
    if (index > 0) text += ",";
    text += Math.fround(brief) === value ? brief : value;
  }
  return `${text}]`;
}

/** The text of a vector in one encoding: a string that was made of it, or the pieces in which it came. */
export type VectorText = string | readonly Buffer[];

/** Texts of vectors have letters of one byte only. */
export function joined(text: VectorText): string {
  return typeof text === "string" ? text : Buffer.concat(text).toString("latin1");
}

export function lengthOf(text: VectorText): number {
  if (typeof text === "string") return text.length;
  let length = 0;
  for (const piece of text) length += piece.length;
  return length;
}
