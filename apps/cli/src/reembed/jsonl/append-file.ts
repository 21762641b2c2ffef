import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "@model-gateway/domain/failure-code";
import { CommandError } from "../../remote/command-error.js";

/** A file that grows by lines. It is opened at a checkpoint, and the bytes after that are dropped. */
export class AppendFile {
  readonly path: string;
  #bytes: number;
  #handle: FileHandle | undefined;

  /** @param bytes The size at the last checkpoint. */
  constructor(path: string, bytes: number) {
    this.path = path;
    this.#bytes = bytes;
  }

  async open(): Promise<void> {
    await this.#opened();
  }

  async append(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const handle = await this.#opened();
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    await handle.write(bytes, 0, bytes.length, this.#bytes).catch((failure: unknown) => this.#fail(failure));
    this.#bytes += bytes.length;
  }

  /** Returns the size for the next checkpoint. */
  async sync(): Promise<number> {
    await this.#handle?.sync().catch((failure: unknown) => this.#fail(failure));
    return this.#bytes;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#handle !== undefined) return this.#handle;
    try {
      // `a` would ignore the position of a write.
      this.#handle = await open(this.path, this.#bytes === 0 ? "w" : "r+");
      const { size } = await this.#handle.stat();
      if (size < this.#bytes)
        throw new CommandError(
          `${this.path} is shorter than it was at the last checkpoint. Its rows are lost; begin anew.`,
        );
      await this.#handle.truncate(this.#bytes);
      return this.#handle;
    } catch (failure) {
      await this.close();
      return this.#fail(failure);
    }
  }

  #fail(failure: unknown): never {
    if (failure instanceof CommandError) throw failure;
    throw new CommandError(
      `${this.path} cannot be written (${codeOf(failure)}). Check its path, its permissions and the disk.`,
    );
  }
}
