import { GatewayError } from "@model-gateway/domain/errors";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { Logger } from "pino";
import type { FileIndex } from "./file-index.js";
import { type FileStore, kindOf, type StoredFile } from "./file-store.js";

interface FileSweepOptions {
  readonly store: FileStore;
  readonly index: FileIndex;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Those of the ids that are still needed. Rejects if that is not known: then all stay. */
export type FindNeeded = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

const everyMs = 5 * 60_000;
/** Orphans are rare, and finding them reads the whole list: of all replicas on one bucket, one does. */
const orphansEveryMs = 3_600_000;
/** Bytes are stored before their record, and in a bucket they count from the start of the upload. */
const orphanMs = 24 * 3_600_000;
const expiredAtOnce = 500;

/** Deletes expired files, and bytes without a record. Replicas may do so at once: deleting twice does no harm. */
export class FileSweep {
  readonly #options: FileSweepOptions;
  readonly #kinds = new Map<string, FindNeeded>();
  #sweeping: Repetition | undefined;
  #isClosed = false;

  constructor(options: FileSweepOptions) {
    this.#options = options;
    this.add("file", (ids) => options.index.existing(ids));
  }

  /** Files of other kinds are left alone. */
  add(kind: string, findNeeded: FindNeeded): void {
    this.#kinds.set(kind, findNeeded);
  }

  start(): void {
    this.#sweeping = every(everyMs, () => this.run(), {
      task: "remove_expired_files",
      isImmediate: true,
      onFailure: (failure) => this.#onFailure(failure),
    });
  }

  /** A sweep in flight ends by itself: a bucket that does not reply must not delay a stop. */
  close(): void {
    this.#isClosed = true;
    void this.#sweeping?.stop();
  }

  async run(): Promise<void> {
    await this.#removeExpired();
    await this.#options.store.sweep();
    if (await this.#options.index.claimOrphanSearch(orphansEveryMs)) await this.#removeOrphans();
  }

  #onFailure(failure: unknown): void {
    if (this.#isClosed) return;
    // While the database or the bucket is down, another line has said so.
    const level = failure instanceof GatewayError && failure.status === 503 ? "debug" : "warn";
    this.#options.log[level]({ err: failure }, "Old files could not be removed. It is tried again.");
  }

  async #removeExpired(): Promise<void> {
    const { store, index } = this.#options;
    while (!this.#isClosed) {
      const ids = await index.expired(expiredAtOnce);
      for (const id of ids) {
        if (this.#isClosed) return;
        // The bytes first: without its record, nothing would lead to them until the next search for orphans.
        await store.delete(id);
        await index.delete(id);
      }
      if (ids.length < expiredAtOnce) return;
    }
  }

  async #removeOrphans(): Promise<void> {
    for await (const page of this.#options.store.list()) {
      if (this.#isClosed) return;
      for (const [kind, findNeeded] of this.#kinds) await this.#removeUnneeded(page, kind, findNeeded);
    }
  }

  async #removeUnneeded(page: readonly StoredFile[], kind: string, findNeeded: FindNeeded): Promise<void> {
    const { store, now, log } = this.#options;
    const old = page.filter(({ id, writtenAt }) => kindOf(id) === kind && writtenAt <= now() - orphanMs);
    if (old.length === 0) return;
    const needed = await findNeeded(old.map(({ id }) => id));
    for (const { id } of old) {
      if (needed.has(id)) continue;
      await store.delete(id);
      log.info({ file: id }, "Bytes without a record were removed.");
    }
  }
}
