/**
 * One embedding. It keeps the encoding it arrived in (JSON text, base64 or float32) and converts only when another is
 * asked for: most answers leave in the encoding they came in, and never become numbers on the way.
 */
export class Vector {
  readonly width: number;
  #floats: Float32Array | undefined;
  readonly #json: Buffer | undefined;
  readonly #base64: string | Buffer | undefined;

  private constructor(
    width: number,
    floats: Float32Array | undefined,
    json: Buffer | undefined,
    base64: string | Buffer | undefined,
  ) {
    this.width = width;
    this.#floats = floats;
    this.#json = json;
    this.#base64 = base64;
  }

  /** @param json The same numbers as a JSON array, where somebody has written it already. */
  static fromFloats(floats: Float32Array, json?: Buffer): Vector {
    return new Vector(floats.length, floats, json, undefined);
  }

  static fromNumbers(numbers: ArrayLike<number>): Vector {
    return Vector.fromFloats(numbers instanceof Float32Array ? numbers : Float32Array.from(numbers));
  }

  /**
   * @param base64 Little-endian float32, as OpenAI writes it. A width that is no whole number is a fault of it.
   * @param bytes What it decodes to, where that is known.
   */
  static fromBase64(base64: string | Buffer, bytes: Buffer = Buffer.from(`${base64}`, "base64")): Vector {
    return new Vector(bytes.length / 4, floatsOfBytes(bytes), undefined, base64);
  }

  /** @param json A JSON array of finite numbers; whoever gives it has checked it. */
  static fromJson(json: Buffer, width: number): Vector {
    return new Vector(width, undefined, json, undefined);
  }

  /** Whether every value is a number that can be compared: one NaN makes each search that meets it wrong. */
  get isFinite(): boolean {
    if (this.#json !== undefined) return true;
    if (!Number.isInteger(this.width)) return false;
    const floats = this.toFloats();
    // Nothing times a number is nothing; times infinity or NaN it is NaN, and so is every sum with that.
    let sum = 0;
    for (let index = 0; index < floats.length; index += 1) sum += (floats[index] as number) * 0;
    return sum === 0;
  }

  toFloats(): Float32Array {
    if (this.#floats === undefined) {
      this.#floats = Float32Array.from(JSON.parse(this.#json?.toString("latin1") ?? "[]"));
    }
    return this.#floats;
  }

  toNumbers(): number[] {
    return Array.from(this.toFloats());
  }

  toJson(): string | Buffer {
    return this.#json ?? jsonOfFloats(this.toFloats());
  }

  toBase64(): string | Buffer {
    return this.#base64 ?? littleEndianBytes(this.toFloats()).toString("base64");
  }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

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
function jsonOfFloats(floats: Float32Array): string {
  let text = "[";
  for (let index = 0; index < floats.length; index += 1) {
    const value = floats[index] ?? 0;
    const brief = Math.round(value * 1e10) / 1e10;
    if (index > 0) text += ",";
    text += Math.fround(brief) === value ? brief : value;
  }
  return `${text}]`;
}
