import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadBytes } from "@model-gateway/domain/image-blocks";
import { recogniseFormat, signatureBytes } from "@model-gateway/domain/image-header";
import type { ImageInput } from "@model-gateway/domain/image-input";
import { TimeSlice } from "@model-gateway/runtime/time-slice";

/** A file of a form: its start in memory, and the rest on disk where the memory was full. */
export interface Upload {
  readonly bytes: number;
  /** The start of the file, in order. Each is empty once the form is released. */
  readonly pieces: readonly Buffer[];
  /** The bytes in `pieces`. */
  readonly heldBytes: number;
  /** The file that holds the rest, if any. */
  readonly path: string | undefined;
}

/** Few large reads: each of them is a round trip to a thread. */
const readBytes = 256 * 1024;

/** An upload as an image. Every attempt reads the same memory, and the same file. Undefined if it is not an image. */
export function uploadedImage(upload: Upload): ImageInput | undefined {
  const format = recogniseFormat(heldPart(upload, 0, signatureBytes));
  if (format === undefined) return undefined;
  return {
    format,
    bytes: upload.bytes,
    read: () => readWhole(upload),
    stream: () => Readable.from(chunksOf(upload)),
    inspect: (use) => inspect(upload, use),
  };
}

/** A socket on the same machine may take one piece after the other: other requests run in between. */
async function* chunksOf({ pieces, path }: Upload): AsyncGenerator<Buffer> {
  const slice = new TimeSlice();
  for (const piece of pieces) {
    yield piece;
    if (slice.isOver) await slice.yield();
  }
  if (path !== undefined) yield* createReadStream(path, { highWaterMark: readBytes });
}

/** A copy: decoders may still read it after the form is released. */
async function readWhole(upload: Upload): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(upload.bytes);
  let bytes = 0;
  for await (const chunk of chunksOf(upload)) bytes += chunk.copy(whole, bytes);
  if (bytes !== upload.bytes) throw new Error("The upload was released while it was read.");
  return whole;
}

async function inspect<T>(upload: Upload, use: (read: ReadBytes) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined;
  const readRest = async (position: number, length: number): Promise<Buffer> => {
    file ??= await open(upload.path ?? "");
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
  const read: ReadBytes = (position, length) => {
    const held = heldPart(upload, position, length);
    const missing = Math.min(length, upload.bytes - position) - held.length;
    if (missing <= 0) return held;
    return readRest(position + held.length - upload.heldBytes, missing).then((rest) =>
      held.length === 0 ? rest : Buffer.concat([held, rest]),
    );
  };
  try {
    return await use(read);
  } finally {
    await file?.close();
  }
}

/** The part of these bytes that is in memory. They are copied only if they span two pieces. */
function heldPart({ pieces }: Pick<Upload, "pieces">, position: number, length: number): Buffer {
  const found: Buffer[] = [];
  let start = 0;
  const end = position + length;
  for (const piece of pieces) {
    if (start >= end) break;
    // A large image has many pieces, and no part is made of those before it.
    if (start + piece.length > position)
      found.push(piece.subarray(Math.max(0, position - start), end - start));
    start += piece.length;
  }
  const [only] = found;
  return found.length === 1 && only !== undefined ? only : Buffer.concat(found);
}
