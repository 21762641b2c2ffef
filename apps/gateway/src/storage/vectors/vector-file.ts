import { Worker } from "node:worker_threads";

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

export type VectorFileReply =
  | { readonly id: number; readonly found: readonly (StoredVector | null)[] }
  | { readonly id: number; readonly failure: { readonly message: string; readonly code: string } };

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
  readonly #reader: VectorFileThread;
  readonly #writer: VectorFileThread;

  constructor(file: string, bytesMax: number) {
    this.#reader = new VectorFileThread({ file, bytesMax, role: "reader" });
    this.#writer = new VectorFileThread({ file, bytesMax, role: "writer" });
  }

  /** The reads that wait. */
  get reads(): number {
    return this.#reader.load;
  }

  /** One entry for each key; null for a miss. Rejects with a `VectorFileError`. */
  read(read: VectorFileRead): Promise<readonly (StoredVector | null)[]> {
    return this.#reader.send((id) => ({ id, ...read }), []);
  }

  /** Rejects with a `VectorFileError`. The batch must not be used afterwards. */
  async write(batch: VectorBatch): Promise<void> {
    await this.#writer.send((id) => ({ id, batch }), [batch.floats]);
  }

  /** Waits for work in progress. */
  async close(): Promise<void> {
    await Promise.all([this.#reader.close(), this.#writer.close()]);
  }
}

interface PendingReply {
  readonly resolve: (found: readonly (StoredVector | null)[]) => void;
  readonly reject: (failure: VectorFileError) => void;
}

class VectorFileThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, PendingReply>();
  readonly #ended: Promise<void>;
  #failure: VectorFileError | undefined;
  #lastId = 0;

  constructor(data: VectorFileData) {
    this.#worker = new Worker(new URL("./vector-file-worker.mjs", import.meta.url), {
      name: `vectors-${data.role}`,
      workerData: data,
    });
    this.#worker.on("message", (reply: VectorFileReply) => this.#settle(reply));
    this.#worker.on("error", (failure: Error & { code?: string }) => {
      this.#failure = new VectorFileError(failure);
    });
    this.#ended = new Promise((resolve) => {
      this.#worker.once("exit", () => {
        this.#failure ??= new VectorFileError({ message: "The thread has exited." });
        for (const { reject } of this.#pending.values()) reject(this.#failure);
        this.#pending.clear();
        resolve();
      });
    });
  }

  get load(): number {
    return this.#pending.size;
  }

  send(
    request: (id: number) => VectorFileRequest,
    bytes: readonly ArrayBuffer[],
  ): Promise<readonly (StoredVector | null)[]> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage(request(id), bytes);
    });
  }

  /** The thread ends by itself: to terminate it inside native code would abort the process. */
  async close(): Promise<void> {
    if (this.#failure === undefined) this.#worker.postMessage("close");
    await this.#ended;
  }

  #settle(reply: VectorFileReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ("failure" in reply) pending?.reject(new VectorFileError(reply.failure));
    else pending?.resolve(reply.found);
  }
}
