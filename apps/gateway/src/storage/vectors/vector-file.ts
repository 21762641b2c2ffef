import { Worker } from "node:worker_threads";
import { ReplyingThread, type ThreadReply } from "../replying-thread.js";

/** The `workerData` of a thread. */
export interface VectorFileData {
  readonly file: string;
  readonly bytesMax: number;
  readonly role: "reader" | "writer";
}

export interface VectorFileRead {
  readonly keys: readonly string[];
  /** Older vectors are not returned. */
  readonly writtenAfter: number;
}

/** Vectors that are written together. */
export interface VectorBatch {
  readonly keys: readonly string[];
  readonly tokens: readonly number[];
  readonly widths: readonly number[];
  /** The numbers of all vectors, one after the other, as little-endian float32. */
  readonly floats: ArrayBuffer;
  readonly writtenAt: number;
  readonly expiresAt: number;
}

export type VectorFileRequest =
  | ({ readonly id: number } & VectorFileRead)
  | { readonly id: number; readonly batch: VectorBatch }
  | "close";

export interface StoredVector {
  readonly tokens: number;
  readonly floats: Uint8Array<ArrayBuffer>;
}

interface FoundVectors {
  readonly found: readonly (StoredVector | null)[];
}

export type VectorFileReply = ThreadReply<FoundVectors>;

/** A file or disk fault, with SQLite's code. */
export class VectorFileError extends Error {
  readonly code: string;

  constructor({ message, code = "" }: { readonly message: string; readonly code?: string }) {
    super(message);
    this.name = "VectorFileError";
    this.code = code;
  }

  /** Whether the file itself is at fault, and not the disk. */
  get isBroken(): boolean {
    return /^SQLITE_(CORRUPT|NOTADB)/.test(this.code);
  }
}

/** A file of vectors, with a thread that reads and one that writes: a read never waits for a write. */
export class VectorFile {
  readonly #reader: ReplyingThread<FoundVectors>;
  readonly #writer: ReplyingThread<FoundVectors>;

  constructor(file: string, bytesMax: number) {
    this.#reader = startThread({ file, bytesMax, role: "reader" });
    this.#writer = startThread({ file, bytesMax, role: "writer" });
  }

  /** The reads that wait. */
  get reads(): number {
    return this.#reader.load;
  }

  /** One entry for each key; null for a miss. Rejects with a `VectorFileError`. */
  async read(read: VectorFileRead): Promise<readonly (StoredVector | null)[]> {
    const { found } = await this.#reader.send(read);
    return found;
  }

  /** Rejects with a `VectorFileError`. The batch must not be used afterwards. */
  async write(batch: VectorBatch): Promise<void> {
    await this.#writer.send({ batch }, [batch.floats]);
  }

  /** Waits for work in progress. */
  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()]);
  }
}

function startThread(data: VectorFileData): ReplyingThread<FoundVectors> {
  const url = new URL("./vector-file-worker.mjs", import.meta.url);
  const worker = new Worker(url, { name: `vectors-${data.role}`, workerData: data });
  const toError = (failure: { readonly message: string; readonly code?: string }) =>
    new VectorFileError(failure);
  return new ReplyingThread({ worker, toError, exitError: toError });
}
