import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";

/** Locks the data folder for this process. */
export function lockDataFolder(dataDir: string): FileLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = lockFile(join(dataDir, "gateway.lock"));
  if (lock === undefined) throw new DataFolderInUseError(dataDir);
  return lock;
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
  const database = new Libsql(file);
  try {
    // The journal would be a file, which a full disk has no room for.
    database.pragma("journal_mode = memory");
    // The open transaction is the lock. Nothing is ever written in it.
    database.exec("begin exclusive");
  } catch (failure) {
    database.close();
    if (failure instanceof Libsql.SqliteError && failure.code === "SQLITE_BUSY") return undefined;
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
    super(
      `The data folder ${dataDir} is in use by another gateway. Stop that gateway, or choose another folder with dataDir in the configuration or DATA_DIR.`,
    );
    this.name = "DataFolderInUseError";
  }
}
