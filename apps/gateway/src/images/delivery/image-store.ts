import type { Readable } from "node:stream";
import type { ImageFormat } from "../../domain/image-profile.js";

/** Where images wait for those who have a link to them. */
export interface ImageStore {
  /** Keeps an image until it expires; gives back the name of its file. */
  put(content: Buffer, format: ImageFormat): Promise<string>;
  /** The image, or undefined where it is gone. */
  open(file: string): Promise<StoredImage | undefined>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** An image that can be read once, even when it is removed in the meantime. One that is not read must be closed. */
export interface StoredImage {
  readonly bytes: number;
  readonly format: ImageFormat;
  /** All of it, or the bytes from `start` to `end`, both included. */
  read(range?: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}
