import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { floatsOfBytes, littleEndianBytes } from "@model-gateway/domain/vector";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { CachedVector, CacheEntry, CacheUse, VectorCache } from "../../embeddings/cache/vector-cache.js";
import { type StoredVector, VectorFile, VectorFileError } from "./vector-file.js";

/** Vectors on their way to the disk. Those beyond it are not cached. */
const queuedBytesMax = 64 * 1024 * 1024;
const waitingReadsMax = 256;
const openTimeoutMs = 10_000;
const readTimeoutMs = 2000;
const readTimeoutMsPerKey = 1;
/** Time that the disk is not used after a failure. */
const pauseMs = 5000;

interface DiskCacheOptions {
  /** Holds nothing else. */
  readonly folder: string;
  readonly bytesMax: number;
  /** Whether this process removes files that were replaced. One of the workers does. */
  readonly removesOldFiles: boolean;
  /** Throws if the disk has no room for this many bytes. */
  readonly checkRoom: (bytes: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called once for each fault, not for each request that meets it. */
  readonly onFailure: (failure: unknown) => void;
}

export interface OpenDiskCache extends VectorCache {
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** Resolves when the first vectors can be read, or when it is known that they cannot. */
export async function openDiskVectorCache(options: DiskCacheOptions): Promise<OpenDiskCache> {
  const cache = new DiskVectorCache(options);
  await cache.opened();
  return cache;
}

/**
 * Keeps vectors in a file, for this process and its siblings, over restarts. A full, slow or broken disk counts as a
 * miss. A broken file is replaced: the files are numbered, and the highest number is in use.
 */
class DiskVectorCache implements OpenDiskCache {
  readonly #options: DiskCacheOptions;
  #number = 0;
  #file: VectorFile | undefined;
  #pausedUntil = 0;
  #queuedBytes = 0;
  #isClosed = false;
  readonly #closing = new Set<Promise<void>>();

  constructor(options: DiskCacheOptions) {
    this.#options = options;
    this.#open();
  }

  async opened(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    const opening = file.read({ keys: [], writtenAfter: 0 });
    await within(opening, openTimeoutMs).catch((failure: unknown) => this.#onFailure(failure, file));
  }

  async read(
    keys: readonly string[],
    { ttlMs }: Pick<CacheUse, "ttlMs">,
  ): Promise<readonly (CachedVector | undefined)[]> {
    const file = this.#usable();
    if (file === undefined || keys.length === 0 || file.reads >= waitingReadsMax)
      return keys.map(() => undefined);
    try {
      const reading = file.read({ keys, writtenAfter: this.#options.now() - ttlMs });
      const found = await within(reading, readTimeoutMs + keys.length * readTimeoutMsPerKey);
      return keys.map((_key, index) => toCached(found[index]));
    } catch (failure) {
      this.#onFailure(failure, file);
      return keys.map(() => undefined);
    }
  }

  write(entries: readonly CacheEntry[], ttlMs: number): void {
    const file = this.#usable();
    if (file === undefined || entries.length === 0) return;
    const { checkRoom, now } = this.#options;
    const bytes = entries.reduce((sum, { floats }) => sum + floats.byteLength, 0);
    if (this.#queuedBytes + bytes > queuedBytesMax) return;
    try {
      checkRoom(bytes);
    } catch {
      return;
    }
    const writtenAt = now();
    const batch = {
      keys: entries.map(({ key }) => key),
      tokens: entries.map(({ tokens }) => tokens),
      widths: entries.map(({ floats }) => floats.length),
      floats: pack(entries, bytes),
      writtenAt,
      expiresAt: writtenAt + ttlMs,
    };
    this.#queuedBytes += bytes;
    file
      .write(batch)
      .catch((failure: unknown) => this.#onFailure(failure, file))
      .finally(() => {
        this.#queuedBytes -= bytes;
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#file !== undefined) this.#retire(this.#file);
    await Promise.all(this.#closing);
  }

  #usable(): VectorFile | undefined {
    const pausedMs = this.#pausedUntil - this.#options.now();
    // More than a pause: the clock was set back since.
    if (this.#isClosed || (pausedMs > 0 && pausedMs <= pauseMs)) return undefined;
    if (this.#file === undefined) this.#open();
    return this.#file;
  }

  /** The threads open the file. They report its faults with the first request. */
  #open(): void {
    const { folder, bytesMax, removesOldFiles, onFailure } = this.#options;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const numbers = numbersIn(folder);
      this.#number = Math.max(this.#number, ...numbers);
      if (removesOldFiles)
        for (const number of numbers) if (number < this.#number) removeFile(folder, number);
      this.#file = new VectorFile(join(folder, `${this.#number}.sqlite`), bytesMax);
    } catch (failure) {
      this.#pausedUntil = this.#options.now() + pauseMs;
      onFailure(failure);
    }
  }

  #onFailure(failure: unknown, file: VectorFile): void {
    // Others that met the same fault have replaced the file already.
    if (file !== this.#file || this.#isClosed) return;
    this.#pausedUntil = this.#options.now() + pauseMs;
    if (failure instanceof VectorFileError) {
      if (failure.isBroken) this.#number += 1;
      this.#file = undefined;
      this.#retire(file);
    }
    this.#options.onFailure(failure);
  }

  #retire(file: VectorFile): void {
    const closing = file.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }
}

function toCached(stored: StoredVector | null | undefined): CachedVector | undefined {
  if (stored === null || stored === undefined) return undefined;
  const { buffer, byteOffset, byteLength } = stored.floats;
  return { floats: floatsOfBytes(Buffer.from(buffer, byteOffset, byteLength)), tokens: stored.tokens };
}

/** One buffer can be handed to a thread without a copy. */
function pack(entries: readonly CacheEntry[], bytes: number): ArrayBuffer {
  const packed = new Uint8Array(bytes);
  let start = 0;
  for (const { floats } of entries) {
    packed.set(littleEndianBytes(floats), start);
    start += floats.byteLength;
  }
  return packed.buffer;
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => {
    const number = /^(\d{1,9})\.sqlite$/.exec(name)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

function removeFile(folder: string, number: number): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `${number}.sqlite${end}`), { force: true });
}

function within<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  return withTimeout(promise, limitMs, () => {
    throw new Error(`The disk did not reply within ${limitMs} ms.`);
  });
}
