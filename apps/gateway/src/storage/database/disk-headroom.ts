import { randomBytes } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** SQLite needs 32 KiB beside the file to read it, and some more for the first writes. */
const headroomBytes = 512 * 1024;

/**
 * Reserved space on the disk. It is released when the disk is full at the start, because SQLite cannot even
 * read a file without room for another one, and then no stored key would work.
 */
export class DiskHeadroom {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "disk-headroom");
  }

  /** Creates the file. A disk without room for it does not fail the start. */
  async create(): Promise<void> {
    const size = await stat(this.#path).then(
      (file) => file.size,
      () => 0,
    );
    if (size === headroomBytes) return;
    // Random, so that a file system that compresses files keeps the room as well.
    await writeFile(this.#path, randomBytes(headroomBytes), { mode: 0o600 }).catch(() => this.release());
  }

  /** Removes the file. Resolves to whether that freed space. */
  async release(): Promise<boolean> {
    return rm(this.#path).then(
      () => true,
      () => false,
    );
  }
}
