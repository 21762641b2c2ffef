import { createReadStream } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadBytes } from "./image-header.js";
import type { ImageFormat } from "./image-profile.js";

/** An image that a caller sent, in a file or in memory. Every attempt can read it again. */
export interface ImageInput {
  readonly format: ImageFormat;
  readonly bytes: number;
  read(): Promise<Buffer>;
  stream(): Readable;
  /** Reads parts of it. */
  inspect<T>(use: (read: ReadBytes) => Promise<T>): Promise<T>;
}

/** The header of most images is in their first bytes: these are read once. */
const headBytes = 4096;

export function imageInFile(path: string, described: { format: ImageFormat; bytes: number }): ImageInput {
  return {
    ...described,
    read: () => readFile(path),
    stream: () => createReadStream(path),
    inspect: async (use) => {
      const file = await open(path);
      const readFrom = async (position: number, length: number): Promise<Buffer> => {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
        return buffer.subarray(0, bytesRead);
      };
      try {
        const head = await readFrom(0, headBytes);
        return await use((position, length) =>
          position + length <= head.length
            ? head.subarray(position, position + length)
            : readFrom(position, length),
        );
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
    read: async () => content,
    stream: () => Readable.from([content]),
    inspect: (use) => use((position, length) => content.subarray(position, position + length)),
  };
}
