import type { FileHandle } from "node:fs/promises";
import { diskFull } from "@model-gateway/domain/errors";
import { isDiskFull } from "@model-gateway/domain/failure-code";
import type { FileWriter } from "../../files/file-store.js";

/** Bytes that wait in memory. They are written in one call. */
const gatheredBytesMax = 512 * 1024;

export interface Draft {
  /** Whether the file survives a power cut. */
  readonly isSynced: boolean;
  /** Throws if the disk is nearly full. */
  readonly checkRoom: () => void;
  /** Gives the draft its final name. */
  readonly keep: () => Promise<void>;
  readonly remove: () => Promise<void>;
  /** Called once, when the draft is kept or removed. */
  readonly onEnd: () => void;
}

/** Writes a draft, which becomes a file with the commit. */
export class DiskFileWriter implements FileWriter {
  readonly #handle: FileHandle;
  readonly #draft: Draft;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #bytes = 0;
  #isOver = false;

  constructor(handle: FileHandle, draft: Draft) {
    this.#handle = handle;
    this.#draft = draft;
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#isOver) throw new Error("Nothing can be written after the end of a file.");
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
    if (this.#gatheredBytes >= gatheredBytesMax) await this.#flush();
  }

  async commit(): Promise<{ readonly bytes: number }> {
    await this.#flush();
    try {
      if (this.#draft.isSynced) await this.#handle.sync();
      await this.#handle.close();
      await this.#draft.keep();
    } catch (failure) {
      throw isDiskFull(failure) ? diskFull(failure) : failure;
    }
    this.#isOver = true;
    this.#draft.onEnd();
    return { bytes: this.#bytes };
  }

  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gathered = [];
    // A write in flight ends before the file is closed.
    await this.#handle.close().catch(() => undefined);
    try {
      await this.#draft.remove();
    } finally {
      this.#draft.onEnd();
    }
  }

  async #flush(): Promise<void> {
    const chunks = this.#gathered;
    const bytes = this.#gatheredBytes;
    if (bytes === 0) return;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#draft.checkRoom();
    try {
      await writeAll(this.#handle, chunks);
    } catch (failure) {
      throw isDiskFull(failure) ? diskFull(failure) : failure;
    }
    this.#bytes += bytes;
  }
}

/** A call may write a part of the chunks only, as on a disk that becomes full. The next one fails then. */
async function writeAll(handle: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let rest = chunks;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest);
    rest = withoutStart(rest, bytesWritten);
  }
}

function withoutStart(chunks: readonly Buffer[], bytes: number): Buffer[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}
