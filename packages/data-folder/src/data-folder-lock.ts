import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import { readRunFile, removeRunFile } from "./run-file.js";
import { SqliteFile } from "./sqlite-file.cjs";

/** Locks the data folder for this process. */
export function lockDataFolder(dataDir: string): FileLock {
  createFolder(dataDir);
  const lock = lockFile(join(dataDir, "gateway.lock"));
  if (lock === undefined) throw new DataFolderInUseError(dataDir);
  // A gateway that was killed has left its own, which must not be taken for that of this one.
  removeRunFile(dataDir);
  return lock;
}

/** Step by step: of a whole path, Node's `mkdir` says ENOENT where the file system is read-only, and on /proc it never ends. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) createFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (failure) {
    // Another process may have created it meanwhile.
    if (codeOf(failure) !== "EEXIST") throw failure;
  }
}

export interface FileLock {
  release(): void;
}

/**
 * Locks a file. It is a lock of the operating system on a SQLite file that stays empty, so it ends with the process, and
 * a stale file never blocks the next start. Undefined if another process has it.
 */
export function lockFile(file: string): FileLock | undefined {
  closeSync(openSync(file, "a", 0o600));
  const database = new SqliteFile(file);
  try {
    // The journal would be a file, which a full disk has no room for.
    database.pragma("journal_mode = memory");
    // The open transaction is the lock. Nothing is ever written in it.
    database.exec("begin exclusive");
  } catch (failure) {
    database.close();
    if (codeOf(failure) === "SQLITE_BUSY") return undefined;
    throw failure;
  }
  return {
    release: () => {
      database.exec("rollback");
      database.close();
    },
  };
}

/** Its message is shown to the operator without a stack. */
export class DataFolderInUseError extends Error {
  readonly code = "data_folder_in_use";

  constructor(dataDir: string) {
    const run = readRunFile(dataDir);
    const place = run === undefined ? "" : `: ${run.url}, process ${run.pid}`;
    super(
      `A gateway runs already with the data folder ${dataDir}${place}. Stop it, or choose another folder with DATA_DIR or dataDir in the configuration.`,
    );
    this.name = "DataFolderInUseError";
  }
}
