import { randomBytes } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** SQLite needs 32 KiB beside the file to read it, and some more for the first writes. */
const ballastBytes = 512 * 1024;

/**
 * A file that takes up room on the disk. It is given up when the disk is full at the start, because SQLite cannot even
 * read a file without room for another one, and then no stored key would work.
 */
export class Ballast {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, "ballast");
  }

  /** Creates the file. A disk without room for it is no failure. */
  async load(): Promise<void> {
    const size = await stat(this.#path).then(
      (file) => file.size,
      () => 0,
    );
    if (size === ballastBytes) return;
    // Random, so that a file system that compresses files keeps the room as well.
    await writeFile(this.#path, randomBytes(ballastBytes), { mode: 0o600 }).catch(() => this.drop());
  }

  /** Removes the file. Resolves to whether that has made room. */
  async drop(): Promise<boolean> {
    return rm(this.#path).then(
      () => true,
      () => false,
    );
  }
}
