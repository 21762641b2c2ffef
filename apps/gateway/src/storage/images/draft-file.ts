import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { unlessMissing } from "../../domain/failure-code.js";

export interface NewFile {
  readonly folder: string;
  readonly name: string;
  /** The process that writes it. */
  readonly writer: number;
}

/** Writes to a draft and renames it, so that no reader sees part of a file. */
export async function writeFileByDraft(
  { folder, name, writer }: NewFile,
  write: (draft: FileHandle) => Promise<void>,
): Promise<void> {
  const draft = join(folder, `${writer}-${name}.part`);
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await write(handle);
    } finally {
      await handle.close();
    }
    await rename(draft, join(folder, name));
  } catch (failure) {
    await rm(draft, { force: true });
    throw failure;
  }
}

/** A file that is open. It can be read to its end even if it is removed meanwhile. */
export interface OpenFile {
  readonly bytes: number;
  read(range?: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}

/** Undefined if there is no such file. */
export async function openFile(path: string): Promise<OpenFile | undefined> {
  const handle = await open(path).catch(unlessMissing);
  if (handle === undefined) return undefined;
  const { size } = await handle.stat();
  return {
    bytes: size,
    read: (range) => handle.createReadStream(range),
    close: () => handle.close(),
  };
}
