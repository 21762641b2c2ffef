import { decodeBase64, decodedBytes } from "@model-gateway/vector-check";
import type { ReplyBuffers } from "../runtime/reply-buffers.js";

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
   * An image in base64 as in RFC 4648 §4, in chunks of any length. Undefined for any other text.
   *
   * @param buffers The memory of the chunks, if it is used again after the image is released.
   */
  static fromBase64(chunks: readonly Buffer[], buffers?: ReplyBuffers): ImageBytes | undefined {
    const bytes = decodedBytes(chunks);
    return bytes === undefined ? undefined : new ImageBytes(bytes, undefined, chunks, buffers);
  }

  /**
   * An image in base64 as upstreams also write it: with line breaks, in the URL-safe alphabet, without padding, or as a
   * data URL. Undefined for any other text.
   */
  static fromText(text: string): ImageBytes | undefined {
    const letters = text
      .replace(/^data:[^,]{0,200};base64,/i, "")
      .replace(/\s+/g, "")
      .replaceAll("-", "+")
      .replaceAll("_", "/")
      .replace(/={1,2}$/, "");
    return ImageBytes.fromBase64([Buffer.from(letters.padEnd(Math.ceil(letters.length / 4) * 4, "="))]);
  }

  /** Reads a part. It is shorter at the end of the image. */
  read(position: number, length: number): Buffer {
    if (this.#binary !== undefined) return this.#binary.subarray(position, position + length);
    const end = Math.min(position + length, this.bytes);
    // Four letters are three bytes.
    const first = Math.floor(position / 3);
    const text = textBetween(this.toBase64(), first * 4, Math.ceil(end / 3) * 4);
    return Buffer.from(text, "base64").subarray(position - first * 3, Math.max(0, end - first * 3));
  }

  toBuffer(): Buffer {
    this.#binary ??= decode(this.toBase64(), this.bytes);
    return this.#binary;
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
    return [Buffer.from(this.#binary.toString("base64"), "latin1")];
  }

  /** The base64 as one string. */
  toText(): string {
    return Buffer.concat(this.toBase64()).toString("latin1");
  }

  /** Only the first call counts. The base64 must not be read or sent afterwards. */
  release(): void {
    if (this.#buffers === undefined) return;
    this.#buffers.release();
    this.#buffers = undefined;
    this.#base64 = undefined;
  }
}

function decode(chunks: readonly Buffer[], bytes: number): Buffer {
  const decoded = Buffer.allocUnsafeSlow(bytes);
  decodeBase64(chunks, decoded);
  return decoded;
}

/** Base64 is ASCII, so latin1 decodes it, and faster than UTF-8. */
function textBetween(chunks: readonly Buffer[], from: number, to: number): string {
  let text = "";
  let start = 0;
  for (const chunk of chunks) {
    if (start >= to) break;
    const end = start + chunk.length;
    if (end > from)
      text += chunk.toString("latin1", Math.max(0, from - start), Math.min(chunk.length, to - start));
    start = end;
  }
  return text;
}
