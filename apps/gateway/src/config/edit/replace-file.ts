import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { copyFile, type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, unlessMissing } from "../../domain/failure-code.js";
import type { Schemas } from "../../operations.js";
import type { Config } from "../config.js";

/** Why the file cannot be changed. */
export type NotEditableReason = NonNullable<Schemas["Configuration"]["not_editable_reason"]>;

/** Undefined if the file can be changed, or created where it is missing. */
export function whyNotEditable(
  { allowsChanges, databaseUrl, redisUrl }: Pick<Config, "allowsChanges" | "databaseUrl" | "redisUrl">,
  path: string,
): NotEditableReason | undefined {
  if (!allowsChanges) return "disabled";
  if (databaseUrl !== undefined || redisUrl !== undefined) return "shared_deployment";
  if (isLinked(path)) return "linked_file";
  return isWritable(dirname(path)) && isWritable(path) ? undefined : "read_only_file";
}

/** A symbolic link, or the mount of a single file: a rename would replace the link, or fail. */
function isLinked(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return true;
  try {
    return readFileSync("/proc/self/mountinfo", "utf8")
      .split("\n")
      .some((line) => unescapeMount(line.split(" ")[4] ?? "") === path);
  } catch {
    // Only Linux has the list. Elsewhere the rename fails, and says so.
    return false;
  }
}

function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** Root may write everything; a file without any permission to write is still meant to stay as it is. */
function isWritable(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if ((stats.mode & 0o222) === 0) return false;
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The file has another text than the one that was changed. */
export class FileChanged extends Error {}

export interface Replacement {
  readonly path: string;
  /** The text that the file must have. Undefined: there must be no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Where the old file is kept. Undefined: it is not. */
  readonly previous?: string;
}

/** Replaces a file, or creates it. A crash leaves the file as it was or as it is meant to be. */
export async function replaceFile({ path, before, after = "", previous }: Replacement): Promise<void> {
  const next = `${path}.next`;
  try {
    await writeNext(next, after, path);
    const present = await readFile(path, "utf8").catch(unlessMissing);
    if (present !== before) throw new FileChanged("The file was changed meanwhile.");
    if (before !== undefined && previous !== undefined) await copyWhole(path, previous);
    await rename(next, path);
    await syncFolder(dirname(path));
  } catch (failure) {
    await rm(next, { force: true });
    throw failure;
  }
}

/** Why a file could not be replaced although it looked possible. Undefined for other failures. */
export function reasonOf(failure: unknown): NotEditableReason | undefined {
  const code = codeOf(failure);
  if (code === "EBUSY" || code === "EXDEV") return "linked_file";
  return ["EACCES", "EPERM", "EROFS"].includes(code) ? "read_only_file" : undefined;
}

export function previousOf(path: string): string {
  return `${path}.previous`;
}

/** The new file has the owner and the mode of the old one. */
async function writeNext(next: string, text: string, path: string): Promise<void> {
  const old = await stat(path).catch(unlessMissing);
  await rm(next, { force: true });
  const file = await open(next, "wx", old === undefined ? 0o644 : 0o600);
  try {
    await file.writeFile(text);
    if (old !== undefined) await takeOver(file, old);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function takeOver(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const created = await file.stat();
  if (uid !== created.uid || gid !== created.gid) await file.chown(uid, gid);
  // After the owner: a change of it may clear bits of the mode.
  await file.chmod(mode & 0o7777);
}

async function copyWhole(path: string, target: string): Promise<void> {
  const copy = `${target}.next`;
  await rm(copy, { force: true });
  await copyFile(path, copy, constants.COPYFILE_EXCL);
  await rename(copy, target);
}

/** So that the rename survives a power failure. Some systems cannot sync a folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
