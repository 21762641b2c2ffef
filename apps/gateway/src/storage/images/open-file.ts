import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { unlessMissing } from "@model-gateway/domain/failure-code";

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
