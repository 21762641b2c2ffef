import type { Readable } from "node:stream";
import type { ImageFormat } from "../../domain/image-profile.js";

/** Where pictures wait for those who have a link to them. */
export interface PictureStore {
  /** Keeps a picture until it expires; gives back the name of its file. */
  put(content: Buffer, format: ImageFormat): Promise<string>;
  /** The picture, or undefined where it is gone. */
  open(file: string): Promise<StoredPicture | undefined>;
  /** Removes what has expired. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** A picture that can be read once, even when it is removed in the meantime. One that is not read must be closed. */
export interface StoredPicture {
  readonly bytes: number;
  readonly format: ImageFormat;
  /** All of it, or the bytes from `start` to `end`, both included. */
  read(range?: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}
