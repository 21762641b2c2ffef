import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@model-gateway/domain/failure-code";
import { ownerOf } from "@model-gateway/domain/scope-id";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { FairEviction, type StoredItem } from "@model-gateway/runtime/fair-eviction";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { inSlices, TimeSlice } from "@model-gateway/runtime/time-slice";
import { writeWhole } from "@model-gateway/runtime/write-whole";
import type { LockAttempt, ResponseStore, StoredEntry } from "../../images/idempotency/response-store.js";
import type { DiskSpace } from "../disk-space.js";
import {
  damagedResponse,
  lostResponsesMax,
  parseEntry,
  responseTooLarge,
  responseTtlMs,
  sweepEveryMs,
  writeEntry,
} from "./stored-entry.js";

interface DiskResponseStoreOptions {
  readonly dataDir: string;
  readonly disk?: Pick<DiskSpace, "checkRoom">;
  /** Limit for all responses together. Beyond it, the caller that holds the most loses its oldest. */
  readonly bytesMax: number;
  /** Milliseconds since 1970. Responses outlive the process, so a monotonic clock would not work. */
  readonly now: () => number;
  /** Called with failures that no request waits for: a failed sweep, a damaged response. */
  readonly onFailure: (failure: unknown) => void;
}

/**
 * Stores responses for 24 hours, one file each in `<dataDir>/responses/`. One process at a time uses the folder. A marker,
 * `<id>.unknown`, is there from the lock until the response is stored. One that is found later says that an image may
 * have been bought and that there is no response.
 */
export async function openDiskResponseStore(options: DiskResponseStoreOptions): Promise<ResponseStore> {
  const folder = join(options.dataDir, "responses");
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
  readonly #sweeping: Repetition;
  #eviction: FairEviction;
  /** Changes of the folder run one after another, so that the byte count stays correct. */
  readonly #turns = new Semaphore(1);

  constructor(folder: string, options: DiskResponseStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#eviction = new FairEviction(options.bytesMax);
    const { onFailure } = options;
    this.#sweeping = every(sweepEveryMs, () => this.sweep(), { task: "remove_expired_responses", onFailure });
  }

  async read(id: string): Promise<StoredEntry | undefined> {
    const file = await readResponse(this.#path(id));
    if (file === undefined || this.#isExpired(file.writtenAtMs)) return undefined;
    if (file.entry !== undefined) return file.entry;
    await this.#turns.run(() => this.#evictDamaged(id));
    return undefined;
  }

  /** Never held: only this process uses the folder. A marker is left from an earlier one, or from a lost response. */
  async lock(id: string, fingerprint: string): Promise<LockAttempt> {
    const marker = this.#markerPath(id);
    const found = await stat(marker).catch(unlessMissing);
    if (found !== undefined && !this.#isExpired(Math.round(found.mtimeMs))) return { kind: "lost" };
    this.#options.disk?.checkRoom(0);
    await this.#mark(marker, fingerprint);
    return {
      kind: "acquired",
      lease: {
        release: () => rm(marker, { force: true }),
        // It was removed if all callers had left before the response came.
        markLost: () => this.#mark(marker, fingerprint),
      },
    };
  }

  write(id: string, entry: StoredEntry): Promise<void> {
    return this.#turns.run(async () => {
      const content = writeEntry(entry);
      const bytes = lengthOf(content);
      const { bytesMax } = this.#options;
      if (bytes > bytesMax) throw responseTooLarge(bytes, bytesMax);
      const writtenAt = this.#options.now();
      const item = { owner: ownerOf(id), size: bytes, writtenAt };
      await this.#makeRoom(item);
      await this.#writeFile(id, content, writtenAt);
      this.#eviction.add(id, item);
    });
  }

  /** Recounts the folder, and removes expired responses and markers. */
  sweep(): Promise<void> {
    return this.#turns.run(async () => {
      const files = await listFiles(this.#folder, ".json");
      this.#eviction = new FairEviction(this.#options.bytesMax);
      for (const { id, bytes, writtenAtMs } of files)
        this.#eviction.add(id, { owner: ownerOf(id), size: bytes, writtenAt: writtenAtMs });
      await this.#makeRoom();
      await this.#sweepMarkers();
    });
  }

  async close(): Promise<void> {
    void this.#sweeping.stop();
    await this.#turns.run(() => Promise.resolve());
  }

  /** Removes expired responses, and evicts others until the new one fits. */
  async #makeRoom(item?: StoredItem): Promise<void> {
    const expired = () => this.#eviction.writtenBy(this.#options.now() - responseTtlMs);
    for (let id = expired(); id !== undefined; id = expired()) {
      await rm(this.#path(id), { force: true });
      this.#eviction.delete(id);
    }
    for (let id = this.#eviction.next(item); id !== undefined; id = this.#eviction.next(item))
      await this.#evict(id);
  }

  /** Leaves an empty marker. A full disk has room for it, because it is the same file. */
  async #evict(id: string): Promise<void> {
    const marker = this.#markerPath(id);
    const evictedAt = this.#options.now() / 1000;
    await rename(this.#path(id), marker).catch(unlessMissing);
    await truncate(marker).catch(unlessMissing);
    await utimes(marker, evictedAt, evictedAt).catch(unlessMissing);
    this.#eviction.delete(id);
  }

  /** It has content, so that a full disk refuses it. */
  async #mark(marker: string, fingerprint: string): Promise<void> {
    const markedAt = this.#options.now() / 1000;
    try {
      await writeFile(marker, fingerprint, { mode: 0o600, flush: true });
      await utimes(marker, markedAt, markedAt);
    } catch (failure) {
      await rm(marker, { force: true });
      throw failure;
    }
  }

  /** A marker that goes too soon lets an image be bought again, so each caller keeps its part of them too. */
  async #sweepMarkers(): Promise<void> {
    const markers = new FairEviction(lostResponsesMax);
    for (const { id, writtenAtMs } of await listFiles(this.#folder, markerEnd))
      markers.add(id, { owner: ownerOf(id), size: 1, writtenAt: writtenAtMs });
    const next = () => markers.writtenBy(this.#options.now() - responseTtlMs) ?? markers.next();
    for (let id = next(); id !== undefined; id = next()) {
      await rm(this.#markerPath(id), { force: true });
      markers.delete(id);
    }
  }

  /** The file time says when it was written, so an expired file is found without reading it. */
  async #writeFile(id: string, content: readonly Buffer[], writtenAtMs: number): Promise<void> {
    const writtenAt = writtenAtMs / 1000;
    const write = async (draft: FileHandle) => {
      await writeFile(draft, content);
      await draft.sync();
      await draft.utimes(writtenAt, writtenAt);
    };
    await writeWhole(this.#path(id), write, { draft: join(this.#folder, `${id}.${randomUUID()}.tmp`) });
  }

  /** Reads the file again first: an intact one may have replaced it meanwhile. */
  async #evictDamaged(id: string): Promise<void> {
    const file = await readResponse(this.#path(id));
    if (file === undefined || file.entry !== undefined) return;
    await this.#evict(id);
    this.#options.onFailure(damagedResponse(id));
  }

  #isExpired(writtenAtMs: number): boolean {
    return this.#options.now() >= writtenAtMs + responseTtlMs;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }

  #markerPath(id: string): string {
    return join(this.#folder, `${id}${markerEnd}`);
  }
}

const markerEnd = ".unknown";

/** The responses or markers in a folder, oldest first. Other files are ignored. */
async function listFiles(
  folder: string,
  end: ".json" | typeof markerEnd,
): Promise<{ id: string; bytes: number; writtenAtMs: number }[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith(end) && /^[0-9a-f]{64}$/.test(name.slice(0, -end.length)),
  );
  const files = await Promise.all(
    names.map(async (name) => {
      const file = await stat(join(folder, name)).catch(unlessMissing);
      if (!file?.isFile()) return [];
      return [{ id: name.slice(0, -end.length), bytes: file.size, writtenAtMs: Math.round(file.mtimeMs) }];
    }),
  );
  return files.flat().sort((one, other) => one.writtenAtMs - other.writtenAtMs);
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Undefined if there is no file; without an entry if it is damaged. */
async function readResponse(
  path: string,
): Promise<{ writtenAtMs: number; entry: StoredEntry | undefined } | undefined> {
  const file = await open(path).catch(unlessMissing);
  if (file === undefined) return undefined;
  try {
    const { mtimeMs } = await file.stat();
    const entry = await inSlices(parseEntry(await file.readFile()), new TimeSlice());
    return { writtenAtMs: Math.round(mtimeMs), entry };
  } finally {
    await file.close();
  }
}
