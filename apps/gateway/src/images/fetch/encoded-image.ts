import { Readable } from "node:stream";
import { recogniseFormat, signatureBytes } from "@model-gateway/domain/image-header";
import type { FileInput, ImageInput } from "@model-gateway/domain/image-input";
import { base64Bytes, decodePieces, decodeRange } from "@model-gateway/runtime/base64-text";

/** An image that is kept as base64. Undefined if it is in no known format. */
export function encodedImage(base64: Buffer): ImageInput | undefined {
  const format = recogniseFormat(decodeRange(base64, 0, signatureBytes));
  return format && { format, ...encodedFile(base64) };
}

/** A file that is kept as base64. */
export function encodedFile(base64: Buffer): FileInput {
  const bytes = base64Bytes(base64);
  return {
    bytes,
    base64,
    read: async () => decodeRange(base64, 0, bytes),
    stream: () => Readable.from(copies(base64)),
    inspect: (use) => use((position, length) => decodeRange(base64, position, length)),
  };
}

/** A reader may keep the pieces of a stream. */
function* copies(base64: Buffer): Generator<Buffer> {
  for (const piece of decodePieces(base64)) yield Buffer.from(piece);
}
