import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";

export interface DataFolderLock {
  release(): void;
}

/**
 * Makes sure that no other process uses the data folder. The lock is one of the operating system, on a SQLite file that
 * stays empty: it ends with the process, however that ends, and no stale file is ever in the way.
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, "gateway.lock");
  closeSync(openSync(file, "a", 0o600));
  const database = new Libsql(file);
  try {
    // For as long as this transaction lives; nothing is ever written in it.
    database.exec("begin exclusive");
  } catch (failure) {
    database.close();
    if (failure instanceof Libsql.SqliteError && failure.code === "SQLITE_BUSY")
      throw new DataFolderInUseError(dataDir);
    throw failure;
  }
  return {
    release: () => {
      database.exec("rollback");
      database.close();
    },
  };
}

/** The message is all that a person needs. */
export class DataFolderInUseError extends Error {
  readonly code = "data_folder_in_use";

  constructor(dataDir: string) {
    super(
      `The data folder ${dataDir} is in use by another gateway. Stop that one first, or give this one a folder of its own: dataDir in the configuration, or DATA_DIR.`,
    );
    this.name = "DataFolderInUseError";
  }
}
