import type { ReplyBuffers } from "@model-gateway/runtime/reply-buffers";
import type { Steps } from "@model-gateway/runtime/time-slice";
import { decodeBase64, decodedBytesInSteps } from "@model-gateway/vector-check";

/** A multiple of three: four letters of base64. Its work takes a millisecond. */
const bytesPerStep = 384 * 1024;

const firstChunk: { readonly index: number; readonly start: number } = { index: 0, start: 0 };

/**
 * The content of an image on its way from an upstream to a caller. It keeps the form it arrived in, base64 or binary,
 * and converts only on demand: most images leave as the base64 in which they arrived.
 *
 * It has one owner at a time. The last one releases it, after the last byte of the response was sent: the upstream
 * reply's memory is then reused. An image that is never released is left to the garbage collector.
 */
export class ImageBytes {
  /** The length of the image, not of its base64. */
  readonly bytes: number;
  #binary: Buffer | undefined;
  #base64: readonly Buffer[] | undefined;
  #buffers: ReplyBuffers | undefined;
  /** Parts are read in order. Each search from the first chunk took 40 µs in a large image. */
  #lastRead = firstChunk;

  private constructor(
    bytes: number,
    binary: Buffer | undefined,
    base64: readonly Buffer[] | undefined,
    buffers: ReplyBuffers | undefined,
  ) {
    this.bytes = bytes;
    this.#binary = binary;
    this.#base64 = base64;
    this.#buffers = buffers;
    buffers?.retain();
  }

  static fromBinary(content: Buffer): ImageBytes {
    return new ImageBytes(content.length, content, undefined, undefined);
  }

  /**
   * An image in base64 as in RFC 4648 §4, in chunks of any length. Undefined for any other text. It is checked in steps:
   * 64 MB take 120 ms.
   *
   * @param buffers The memory of the chunks, if it is used again after the image is released.
   */
  static *fromBase64(chunks: readonly Buffer[], buffers?: ReplyBuffers): Steps<ImageBytes | undefined> {
    const bytes = yield* decodedBytesInSteps(chunks);
    return bytes === undefined ? undefined : new ImageBytes(bytes, undefined, chunks, buffers);
  }

  /** Reads a part. It is shorter at the end of the image. */
  read(position: number, length: number): Buffer {
    if (this.#binary !== undefined) return this.#binary.subarray(position, position + length);
    const end = Math.min(position + length, this.bytes);
    // Four letters are three bytes.
    const first = Math.floor(position / 3);
    const chunks = this.#base64Between(first * 4, Math.ceil(end / 3) * 4);
    const [only] = chunks;
    const joined = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    const text = joined.toString("latin1");
    return Buffer.from(text, "base64").subarray(position - first * 3, Math.max(0, end - first * 3));
  }

  /** The binary form. It is made in steps: 64 MB take 150 ms. */
  *decode(): Steps<Buffer> {
    if (this.#binary !== undefined) return this.#binary;
    const decoded = Buffer.allocUnsafeSlow(this.bytes);
    for (let at = 0; at < this.bytes; at += bytesPerStep) {
      const end = at + bytesPerStep;
      decodeBase64(this.#base64Between((at / 3) * 4, (end / 3) * 4), decoded.subarray(at, end));
      yield;
    }
    this.#binary = decoded;
    return decoded;
  }

  /** Makes the base64 form, in steps. The binary form is dropped. */
  *encode(): Steps<void> {
    if (this.#base64 !== undefined || this.#binary === undefined) return;
    const chunks: Buffer[] = [];
    for (let at = 0; at < this.bytes; at += bytesPerStep) {
      chunks.push(encoded(this.#binary.subarray(at, at + bytesPerStep)));
      yield;
    }
    this.#base64 = chunks;
    this.#binary = undefined;
  }

  /** The memory that it takes until it is sent as base64. */
  get heldBytes(): number {
    const base64 = this.#base64 === undefined ? 4 * Math.ceil(this.bytes / 3) : lengthOf(this.#base64);
    return base64 + (this.#binary?.length ?? 0);
  }

  /** Drops the binary form if the base64 form exists, and returns its memory. The caller becomes its only owner. */
  dropDecoded(): ArrayBuffer[] {
    if (this.#base64 === undefined || this.#binary === undefined) return [];
    const { buffer } = this.#binary;
    this.#binary = undefined;
    return buffer instanceof ArrayBuffer ? [buffer] : [];
  }

  toBase64(): readonly Buffer[] {
    if (this.#base64 !== undefined) return this.#base64;
    if (this.#binary === undefined) throw new Error("The image was released.");
    return [encoded(this.#binary)];
  }

  /** The base64 as one string. */
  toText(): string {
    return Buffer.concat(this.toBase64()).toString("latin1");
  }

  #base64Between(from: number, to: number): Buffer[] {
    const chunks = this.toBase64();
    let { index, start } = this.#lastRead.start <= from ? this.#lastRead : firstChunk;
    const found: Buffer[] = [];
    for (let chunk = chunks[index]; chunk !== undefined && start < to; chunk = chunks[index]) {
      const end = start + chunk.length;
      if (end > from) {
        if (found.length === 0) this.#lastRead = { index, start };
        found.push(chunk.subarray(Math.max(0, from - start), to - start));
      }
      index += 1;
      start = end;
    }
    return found;
  }

  /** Only the first call counts. The base64 must not be read or sent afterwards. */
  release(): void {
    if (this.#buffers === undefined) return;
    this.#buffers.release();
    this.#buffers = undefined;
    this.#base64 = undefined;
  }
}

/** Base64 is ASCII, so latin1 is exact, and faster than UTF-8. */
function encoded(content: Buffer): Buffer {
  return Buffer.from(content.toString("base64"), "latin1");
}

function lengthOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
