import type { Readable } from "node:stream";
import type { ImageFormat } from "@model-gateway/domain/image-profile";

/** Stores images that callers fetch by a signed link. */
export interface ImageStore {
  /** Rejects if no image can be stored now. It is asked before an image is bought. */
  checkWritable(): Promise<void>;
  /**
   * Stores an image until it expires, and returns its file name. The caller may then use the memory for something else.
   * A store that is full evicts: each key keeps its part.
   */
  put(content: Buffer, format: ImageFormat, key: string): Promise<string>;
  /** Undefined if the image has expired or never existed. */
  open(file: string): Promise<StoredImage | undefined>;
  /** Removes expired images. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** An open image. It can be read once, even if it is removed meanwhile. One that is not read must be closed. */
export interface StoredImage {
  readonly bytes: number;
  readonly format: ImageFormat;
  /** The whole image, or its bytes from `start` to `end`, both included. */
  read(range?: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}
