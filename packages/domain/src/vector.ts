import type { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import { writeBase64Numbers, writeNumbers } from "@model-gateway/vector-check";

/**
 * One embedding. It keeps the encoding it arrived in (JSON text, base64 or float32) and converts only on demand: most
 * vectors leave in the encoding in which they arrived and are never parsed.
 */
export class Vector {
  readonly width: number;
  #floats: Float32Array | undefined;
  readonly #json: VectorText | undefined;
  readonly #base64: VectorText | undefined;
  #isFinite: boolean | undefined;
  readonly #buffers: ReplyBuffers | undefined;

  private constructor(
    width: number,
    floats: Float32Array | undefined,
    json: VectorText | undefined,
    base64: VectorText | undefined,
    holdsFinite: boolean | undefined,
    buffers: ReplyBuffers | undefined,
  ) {
    this.width = width;
    this.#floats = floats;
    this.#json = json;
    this.#base64 = base64;
    this.#isFinite = holdsFinite;
    this.#buffers = buffers;
  }

  /** @param json The same numbers as a JSON array, if they were serialized already. */
  static fromFloats(floats: Float32Array, json?: Buffer): Vector {
    return new Vector(floats.length, floats, json && [json], undefined, undefined, undefined);
  }

  static fromNumbers(numbers: ArrayLike<number>): Vector {
    return Vector.fromFloats(numbers instanceof Float32Array ? numbers : Float32Array.from(numbers));
  }

  /** @param base64 Little-endian float32, as OpenAI sends it. A truncated text gives a fractional width. */
  static fromBase64(base64: string): Vector {
    const bytes = Buffer.from(base64, "base64");
    const width = bytes.length / 4;
    const holdsNumbers = Number.isInteger(width) && areFinite(floatsOfBytes(bytes));
    return new Vector(width, undefined, undefined, base64, holdsNumbers, undefined);
  }

  /** @param base64 Little-endian float32 that was checked to be finite. */
  static fromCheckedBase64(base64: readonly Buffer[], width: number, buffers?: ReplyBuffers): Vector {
    return new Vector(width, undefined, undefined, base64, true, buffers);
  }

  /** @param json A JSON array that was checked to hold finite numbers. */
  static fromJson(json: readonly Buffer[], width: number, buffers?: ReplyBuffers): Vector {
    return new Vector(width, undefined, json, undefined, true, buffers);
  }

  /** Whether its text is in memory that the last release frees. */
  get needsRelease(): boolean {
    return this.#buffers?.needsRelease === true;
  }

  /** Called once for each request that will send it. */
  retain(): void {
    this.#buffers?.retain();
  }

  /** Called once for each `retain`, when the response has been sent. Its text must not be read afterwards. */
  release(): void {
    this.#buffers?.release();
  }

  /** Whether every value is finite. One NaN makes every comparison with the vector wrong. */
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

  /** The memory of its text and its numbers. */
  get heldBytes(): number {
    const text = this.#json ?? this.#base64;
    return (text === undefined ? 0 : lengthOf(text)) + (this.#floats?.byteLength ?? 0);
  }

  /** Its length in an encoding, if that is known without serializing it. */
  lengthAs(encoding: "float" | "base64"): number | undefined {
    if (encoding === "float") return this.#json === undefined ? undefined : lengthOf(this.#json);
    return this.#base64 === undefined ? 4 * Math.ceil((this.width * 4) / 3) : lengthOf(this.#base64);
  }

  /** Numbers that must be written have the fewest digits that read back as the same float32. */
  toJson(): VectorText {
    if (this.#json !== undefined) return this.#json;
    if (this.#floats !== undefined || this.#base64 === undefined) return [jsonOfFloats(this.toFloats())];
    const text = typeof this.#base64 === "string" ? undefined : writeBase64Numbers(this.#base64);
    return [text ?? writeNumbers(Buffer.from(joined(this.#base64), "base64"))];
  }

  toBase64(): VectorText {
    return this.#base64 ?? littleEndianBytes(this.toFloats()).toString("base64");
  }
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Zero times a finite number is zero. Zero times infinity or NaN is NaN, and so is any sum with it. */
function areFinite(floats: Float32Array): boolean {
  let sum = 0;
  for (let index = 0; index < floats.length; index += 1) sum += (floats[index] as number) * 0;
  return sum === 0;
}

/** Reads little-endian float32, without a copy if possible. Bytes beyond the last whole number are ignored. */
export function floatsOfBytes(bytes: Buffer): Float32Array {
  const width = Math.floor(bytes.length / 4);
  // A view into a larger buffer would keep the whole buffer alive.
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

/** Written in WebAssembly, five times as fast as JSON.stringify. */
export function jsonOfFloats(floats: Float32Array): Buffer {
  return writeNumbers(littleEndianBytes(floats));
}

/** The text of a vector in one encoding: a serialized string, or the pieces in which it arrived. */
export type VectorText = string | readonly Buffer[];

/** The text of a vector is ASCII, so latin1 decodes it, and faster than UTF-8. */
export function joined(text: VectorText): string {
  return typeof text === "string" ? text : Buffer.concat(text).toString("latin1");
}

export function lengthOf(text: VectorText): number {
  if (typeof text === "string") return text.length;
  let length = 0;
  for (const piece of text) length += piece.length;
  return length;
}
