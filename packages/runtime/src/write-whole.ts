import { renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

interface WriteOptions {
  /** The file that is written first, in the same file system. By default `<path>.new`: one process writes the path. */
  readonly draft?: string;
  /** The mode of a new file. By default only the owner may read it. */
  readonly mode?: number;
  /** Whether the content is on the disk before the file has its name, and the name before this resolves. */
  readonly isSynced?: boolean;
  /** Called before the file gets its name. If it rejects, the earlier file stays. */
  readonly check?: () => Promise<void>;
}

type Content = string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>;

/** Writes a file so that a reader, and a crash, leave the earlier one or the whole new one. */
export async function writeWhole(
  path: string,
  content: Content | ((draft: FileHandle) => Promise<void>),
  { draft = draftOf(path), mode = 0o600, isSynced = false, check }: WriteOptions = {},
): Promise<void> {
  // A crash has left it. Its mode would stay.
  await rm(draft, { force: true });
  try {
    const file = await open(draft, "wx", mode);
    try {
      await (typeof content === "function" ? content(file) : writeFile(file, content));
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    await check?.();
    await rename(draft, path);
    if (isSynced) await syncFolder(dirname(path));
  } catch (failure) {
    await rm(draft, { force: true });
    throw failure;
  }
}

/** The same in one turn of the event loop, for a start and for commands. */
export function writeWholeSync(
  path: string,
  content: string | Uint8Array,
  { draft = draftOf(path), mode = 0o600 }: Pick<WriteOptions, "draft" | "mode"> = {},
): void {
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { flag: "wx", mode });
    renameSync(draft, path);
  } catch (failure) {
    rmSync(draft, { force: true });
    throw failure;
  }
}

/** So that a name survives a power failure. Some systems cannot sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function draftOf(path: string): string {
  return `${path}.new`;
}
