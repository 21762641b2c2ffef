import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from "node:fs";
import { type FileHandle, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, unlessMissing } from "@model-gateway/domain/failure-code";
import type { Schemas } from "@model-gateway/domain/operations";
import { writeWhole } from "@model-gateway/runtime/write-whole";
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

interface FileReplacement {
  readonly path: string;
  /** The text that the file must have. Undefined: there must be no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Where the old file is kept. Undefined: it is not. */
  readonly previous?: string;
}

/** Replaces a file, or creates it. A crash leaves the file as it was or as it is meant to be. */
export async function replaceFile({ path, before, after = "", previous }: FileReplacement): Promise<void> {
  const old = await stat(path).catch(unlessMissing);
  const write = async (draft: FileHandle) => {
    await draft.writeFile(after);
    if (old !== undefined) await takeOver(draft, old);
  };
  const check = async () => {
    const present = await readFile(path, "utf8").catch(unlessMissing);
    if (present !== before) throw new FileChanged("The file was changed meanwhile.");
    if (old !== undefined && before !== undefined && previous !== undefined)
      await writeWhole(previous, before, { draft: `${previous}.next`, mode: old.mode & 0o7777 });
  };
  const mode = old === undefined ? 0o644 : 0o600;
  await writeWhole(path, write, { draft: `${path}.next`, mode, isSynced: true, check });
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
async function takeOver(file: FileHandle, { mode, uid, gid }: Stats): Promise<void> {
  const created = await file.stat();
  if (uid !== created.uid || gid !== created.gid) await file.chown(uid, gid);
  // After the owner: a change of it may clear bits of the mode.
  await file.chmod(mode & 0o7777);
}
