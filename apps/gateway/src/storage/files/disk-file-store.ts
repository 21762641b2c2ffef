import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { diskFull } from "@model-gateway/domain/errors";
import { isDiskFull, unlessMissing } from "@model-gateway/domain/failure-code";
import { hasDied, type ProcessIdentity } from "@model-gateway/domain/process-identity";
import { syncFolder } from "@model-gateway/runtime/write-whole";
import {
  type CreateOptions,
  checkId,
  type FileRange,
  type FileStore,
  type FileWriter,
  kindOf,
  MissingFileError,
  type StoredFile,
} from "../../files/file-store.js";
import type { DiskSpace } from "../disk-space.js";
import { DiskFileWriter, type Draft } from "./disk-file-writer.js";

interface DiskFileStoreOptions {
  readonly dataDir: string;
  readonly disk: Pick<DiskSpace, "checkRoom">;
  readonly self: ProcessIdentity;
}

/** Stores files in the data folder. Drafts of processes that have died are removed. */
export async function openDiskFileStore(options: DiskFileStoreOptions): Promise<FileStore> {
  const folder = join(options.dataDir, "files");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = new DiskFileStore(folder, options);
  await store.sweep();
  return store;
}

/** The process that writes it, the number of the draft in that process, and the id. */
const draftName = /^(\d+)-\d+-.+\.part$/;
const pageFiles = 500;
const statsAtOnce = 32;
const readBytes = 256 * 1024;

class DiskFileStore implements FileStore {
  readonly #folder: string;
  readonly #options: DiskFileStoreOptions;
  /** The names of drafts that this process writes. */
  readonly #drafts = new Set<string>();
  #draftsBegun = 0;

  constructor(folder: string, options: DiskFileStoreOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  async checkWritable(bytes: number): Promise<void> {
    this.#options.disk.checkRoom(bytes);
  }

  async create(id: string, { survives }: CreateOptions = {}): Promise<FileWriter> {
    checkId(id);
    const isSynced = survives !== "crash";
    const { self, disk } = this.#options;
    disk.checkRoom(0);
    this.#draftsBegun += 1;
    const name = `${self.id}-${this.#draftsBegun}-${id}.part`;
    const path = join(this.#folder, name);
    this.#drafts.add(name);
    try {
      return new DiskFileWriter(await open(path, "wx", 0o600), {
        checkRoom: () => disk.checkRoom(0),
        keep: () => this.#keep(path, id, { isSynced }),
        isSynced,
        remove: () => rm(path, { force: true }),
        onEnd: () => this.#drafts.delete(name),
      });
    } catch (failure) {
      this.#drafts.delete(name);
      throw isDiskFull(failure) ? diskFull(failure) : failure;
    }
  }

  async read(id: string, range?: FileRange): Promise<Readable> {
    checkId(id);
    const handle = await open(join(this.#folder, id)).catch(unlessMissing);
    if (handle === undefined) throw new MissingFileError(id);
    if (range !== undefined && range.end <= range.start) {
      await handle.close();
      return Readable.from([]);
    }
    const part = range === undefined ? {} : { start: range.start, end: range.end - 1 };
    return handle.createReadStream({ ...part, highWaterMark: readBytes });
  }

  async delete(id: string): Promise<void> {
    checkId(id);
    await rm(join(this.#folder, id), { force: true });
  }

  async *list(): AsyncGenerator<readonly StoredFile[]> {
    const ids = (await readdir(this.#folder)).filter((name) => kindOf(name) !== undefined);
    for (let at = 0; at < ids.length; at += pageFiles) yield this.#inspect(ids.slice(at, at + pageFiles));
  }

  async sweep(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const writer = draftName.exec(name)?.[1];
      if (writer === undefined || this.#drafts.has(name)) continue;
      if (hasDied(Number(writer), this.#options.self)) await rm(join(this.#folder, name), { force: true });
    }
  }

  /** The name is stored as well before anyone relies on the file. */
  async #keep(draft: string, id: string, { isSynced }: Pick<Draft, "isSynced">): Promise<void> {
    await rename(draft, join(this.#folder, id));
    if (!isSynced) return;
    await syncFolder(this.#folder);
  }

  async #inspect(ids: readonly string[]): Promise<StoredFile[]> {
    const found: StoredFile[] = [];
    for (let at = 0; at < ids.length; at += statsAtOnce) {
      const some = ids.slice(at, at + statsAtOnce).map(async (id) => {
        const stats = await stat(join(this.#folder, id)).catch(unlessMissing);
        return stats === undefined ? [] : [{ id, writtenAt: stats.mtimeMs }];
      });
      found.push(...(await Promise.all(some)).flat());
    }
    return found;
  }
}
