import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ImageFormat } from "./image-profile.js";

/** An image that a caller sent, in a file or in memory. Every attempt can read it again. */
export interface ImageInput {
  readonly format: ImageFormat;
  readonly bytes: number;
  /** Its path or its content, for libraries that open files themselves. */
  readonly source: string | Buffer;
  read(): Promise<Buffer>;
  stream(): Readable;
  /** Reads its last bytes. */
  tail(length: number): Promise<Buffer>;
}

export function imageInFile(path: string, described: { format: ImageFormat; bytes: number }): ImageInput {
  return {
    ...described,
    source: path,
    read: () => readFile(path),
    stream: () => createReadStream(path),
    tail: async (length) => {
      const file = await open(path);
      try {
        const start = Math.max(0, described.bytes - length);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(described.bytes - start), 0, null, start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
  };
}

export function imageInMemory(content: Buffer, format: ImageFormat): ImageInput {
  return {
    format,
    bytes: content.length,
    source: content,
    read: async () => content,
    stream: () => Readable.from([content]),
    tail: async (length) => content.subarray(-length),
  };
}
