import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import {
  damagedResponse,
  parseEntry,
  responseTooLarge,
  responseTtlMs,
  sweepEveryMs,
  writeEntry,
} from "./stored-entry.js";

export interface DiskResponseStoreOptions {
  readonly dataDir: string;
  /** Limit for all responses together; the oldest are removed first. */
  readonly bytesMax: number;
  /** Milliseconds since 1970. Responses outlive the process, so a monotonic clock would not work. */
  readonly now: () => number;
  /** Called with failures that no request waits for: a failed sweep, a damaged or too large response. */
  readonly onFailure: (failure: unknown) => void;
}

/** Stores responses for 24 hours, one file each in `<dataDir>/answers/`. One process at a time uses the folder. */
export async function openDiskResponseStore(options: DiskResponseStoreOptions): Promise<ResponseStore> {
  const folder = join(options.dataDir, "answers");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const unfinished = (await readdir(folder)).filter((name) =>
    /^[0-9a-f]{64}\.[0-9a-f-]{36}\.tmp$/.test(name),
  );
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
  const store = new DiskResponseStore(folder, options);
  await store.sweep();
  return store;
}

class DiskResponseStore implements ResponseStore {
  readonly #folder: string;
  readonly #options: DiskResponseStoreOptions;
  readonly #timer: NodeJS.Timeout;
  /** Bytes by id, oldest first. */
  readonly #sizes = new Map<string, number>();
  #bytes = 0;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(folder: string, options: DiskResponseStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#timer = setInterval(() => this.sweep().catch(options.onFailure), sweepEveryMs).unref();
  }

  async read(id: string): Promise<StoredEntry | undefined> {
    const file = await readResponse(this.#path(id));
    if (file === undefined || this.#isExpired(file.writtenAtMs)) return undefined;
    if (file.entry !== undefined) return file.entry;
    await this.#inTurn(() => this.#removeDamaged(id));
    return undefined;
  }

  /** Always free: only this process uses the folder. */
  async lock(): Promise<LockAttempt> {
    return { kind: "acquired", lease: { release: async () => undefined } };
  }

  write(id: string, entry: StoredEntry): Promise<void> {
    return this.#inTurn(async () => {
      // Serialized only now: of all queued responses, just one is in memory twice.
      const content = Buffer.from(writeEntry(entry));
      const { bytesMax, onFailure } = this.#options;
      if (content.length > bytesMax) {
        onFailure(responseTooLarge(content.length, bytesMax));
        return;
      }
      await this.#makeRoom(content.length);
      await this.#writeFile(id, content);
      this.#forget(id);
      this.#count(id, content.length);
    });
  }

  /** Recounts the folder, and removes expired responses. */
  sweep(): Promise<void> {
    return this.#inTurn(async () => {
      const files = await listResponses(this.#folder);
      this.#sizes.clear();
      this.#bytes = 0;
      for (const { id, bytes } of files) this.#count(id, bytes);
      for (const { id, writtenAtMs } of files) if (this.#isExpired(writtenAtMs)) await this.#remove(id);
      await this.#makeRoom(0);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#queue;
  }

  /** Changes of the folder run one after another, so that the byte count stays correct. */
  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(task);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #makeRoom(bytes: number): Promise<void> {
    for (const id of this.#sizes.keys()) {
      if (this.#bytes + bytes <= this.#options.bytesMax) return;
      await this.#remove(id);
    }
  }

  /** The file time says when it was written, so an expired file is found without reading it. */
  async #writeFile(id: string, content: Buffer): Promise<void> {
    const unfinished = join(this.#folder, `${id}.${randomUUID()}.tmp`);
    const writtenAt = this.#options.now() / 1000;
    try {
      await writeFile(unfinished, content, { mode: 0o600, flag: "wx", flush: true });
      await utimes(unfinished, writtenAt, writtenAt);
      await rename(unfinished, this.#path(id));
    } catch (failure) {
      await rm(unfinished, { force: true });
      throw failure;
    }
  }

  /** Reads the file again first: an intact one may have replaced it meanwhile. */
  async #removeDamaged(id: string): Promise<void> {
    const file = await readResponse(this.#path(id));
    if (file === undefined || file.entry !== undefined) return;
    await this.#remove(id);
    this.#options.onFailure(damagedResponse(id));
  }

  async #remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
    this.#forget(id);
  }

  #count(id: string, bytes: number): void {
    this.#sizes.set(id, bytes);
    this.#bytes += bytes;
  }

  #forget(id: string): void {
    this.#bytes -= this.#sizes.get(id) ?? 0;
    this.#sizes.delete(id);
  }

  #isExpired(writtenAtMs: number): boolean {
    return this.#options.now() >= writtenAtMs + responseTtlMs;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The responses in a folder, oldest first. Other files are left alone. */
async function listResponses(folder: string): Promise<{ id: string; bytes: number; writtenAtMs: number }[]> {
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const file = await stat(join(folder, name)).catch(unlessMissing);
      if (!file?.isFile()) return [];
      return [
        { id: name.slice(0, -".json".length), bytes: file.size, writtenAtMs: Math.round(file.mtimeMs) },
      ];
    }),
  );
  return files.flat().sort((one, other) => one.writtenAtMs - other.writtenAtMs);
}

/** Undefined if there is no file; without an entry if it is damaged. */
async function readResponse(
  path: string,
): Promise<{ writtenAtMs: number; entry: StoredEntry | undefined } | undefined> {
  const file = await open(path).catch(unlessMissing);
  if (file === undefined) return undefined;
  try {
    const { mtimeMs } = await file.stat();
    return { writtenAtMs: Math.round(mtimeMs), entry: parseEntry(await file.readFile("utf8")) };
  } finally {
    await file.close();
  }
}

function unlessMissing(failure: NodeJS.ErrnoException): undefined {
  if (failure.code !== "ENOENT") throw failure;
}
