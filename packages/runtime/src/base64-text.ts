import { decodeBase64, decodedBytesInSteps } from "@model-gateway/vector-check";
import { inSlices, type TimeSlice } from "./time-slice.js";

/**
 * Images that callers send as base64 are sent on as base64. Their text stays in memory, and their bytes are decoded for
 * the digest and the header alone: with 64 images of 1 MB, encoding them again took 65 ms of CPU.
 */

/** A multiple of four letters. Decoding one takes some 0.1 ms. */
const pieceLetters = 256 * 1024;
const pieceBytes = (pieceLetters / 4) * 3;

/** The length of the bytes of a text. Undefined if it is not base64 as in RFC 4648 §4, in the only form of its bytes. */
export async function checkBase64(text: Buffer, slice: TimeSlice): Promise<number | undefined> {
  const bytes = await inSlices(decodedBytesInSteps([text]), slice);
  return bytes === undefined || hasUnusedBits(text) ? undefined : bytes;
}

/** Of the last letter before padding, two or four bits encode nothing. Strict servers refuse them unless they are 0. */
function hasUnusedBits(text: Buffer): boolean {
  const end = text.toString("latin1", text.length - 4);
  return Buffer.from(end, "base64").toString("base64") !== end;
}

/** @param text Base64 that `checkBase64` has accepted. */
export function base64Bytes(text: Buffer): number {
  const padding = text.at(-1) !== padded ? 0 : text.at(-2) !== padded ? 1 : 2;
  return (text.length / 4) * 3 - padding;
}

const padded = 0x3d;

/** Decodes some of the bytes, fewer at the end. */
export function decodeRange(text: Buffer, position: number, length: number): Buffer {
  const first = Math.floor(position / 3);
  const last = Math.ceil((position + length) / 3);
  const letters = text.subarray(first * 4, last * 4);
  if (letters.length === 0) return Buffer.alloc(0);
  const decoded = Buffer.allocUnsafeSlow(base64Bytes(letters));
  decodeBase64([letters], decoded);
  return decoded.subarray(position - first * 3, position - first * 3 + length);
}

/** All bytes, piece by piece. A piece is valid until the next one is requested: they share their memory. */
export function* decodePieces(text: Buffer): Generator<Buffer> {
  const decoded = Buffer.allocUnsafeSlow(Math.min(pieceBytes, (text.length / 4) * 3));
  for (let start = 0; start < text.length; start += pieceLetters) {
    const letters = text.subarray(start, start + pieceLetters);
    const piece = decoded.subarray(0, base64Bytes(letters));
    decodeBase64([letters], piece);
    yield piece;
  }
}
