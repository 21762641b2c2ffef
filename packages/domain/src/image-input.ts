import { Readable } from "node:stream";
import type { ReadBytes } from "./image-blocks.js";
import { type ImageMetadata, readHeader } from "./image-header.js";
import type { RasterFormat } from "./image-profile.js";

/** A file that a caller sent, in memory or on disk. Every attempt can read it again. */
export interface FileInput {
  readonly bytes: number;
  /** Its base64 in canonical form, if the caller sent it so. */
  readonly base64?: Buffer;
  read(): Promise<Buffer>;
  stream(): Readable;
  /** Reads parts of it. */
  inspect<T>(use: (read: ReadBytes) => Promise<T>): Promise<T>;
}

export interface ImageInput extends FileInput {
  readonly format: RasterFormat;
}

export function imageInMemory(content: Buffer, format: RasterFormat): ImageInput {
  return { format, ...fileInMemory(content) };
}

export function fileInMemory(content: Buffer): FileInput {
  return {
    bytes: content.length,
    read: async () => content,
    stream: () => Readable.from(piecesOf(content)),
    inspect: (use) => use((position, length) => content.subarray(position, position + length)),
  };
}

/** Undefined where the header is not readable. */
export function readImageHeader({ format, inspect }: ImageInput): Promise<ImageMetadata | undefined> {
  return inspect((read) => readHeader(format, read));
}

/** Images are encoded and hashed piece by piece, and other requests run in between. */
const pieceBytes = 1024 * 1024;

function* piecesOf(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += pieceBytes)
    yield content.subarray(start, start + pieceBytes);
}

/** The base64 of images that a body has as data URLs. Each key is the URL that stands for one in the parsed body. */
export type DataUrls = ReadonlyMap<string, Buffer>;
