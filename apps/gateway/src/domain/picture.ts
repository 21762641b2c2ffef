import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ImageFormat } from "./image-profile.js";

/** A picture that a caller sent, wherever it is kept. It can be read again for every try. */
export interface Picture {
  readonly format: ImageFormat;
  readonly bytes: number;
  read(): Promise<Buffer>;
  stream(): Readable;
}

export function pictureInFile(path: string, described: { format: ImageFormat; bytes: number }): Picture {
  return { ...described, read: () => readFile(path), stream: () => createReadStream(path) };
}

export function pictureInMemory(content: Buffer, format: ImageFormat): Picture {
  return {
    format,
    bytes: content.length,
    read: async () => content,
    stream: () => Readable.from([content]),
  };
}
