import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { unlessMissing } from "../../domain/failure-code.js";
import type { ImageFormat } from "../../domain/image-profile.js";
import { hasDied, type ProcessIdentity } from "../../domain/process-identity.js";
import { Semaphore } from "../../domain/semaphore.js";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";
import type { DiskSpace } from "../disk-space.js";
import { openFile, writeFileByDraft } from "./draft-file.js";

export interface DiskImageStoreOptions {
  readonly dataDir: string;
  readonly disk?: Pick<DiskSpace, "checkRoom">;
  /** Limit for all images together. */
  readonly bytesMax: number;
  readonly ttlMs: number;
  /** Unix milliseconds, as in file times. */
  readonly now: () => number;
  readonly self: ProcessIdentity;
  readonly log: Logger;
}

/** Stores images as files in the data folder. Drafts of crashed processes are removed. */
export async function openDiskImageStore(options: DiskImageStoreOptions): Promise<ImageStore> {
  const folder = join(options.dataDir, "images");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = new DiskImageStore(folder, options);
  await store.sweep();
  return store;
}

/** 128 random bits, so a name cannot be guessed. Nothing else is a name, so no path leaves the folder. */
const fileName = /^[0-9a-f]{32}\.(png|jpeg|webp|gif|svg)$/;
const draftName = /^(\d+)-[0-9a-f]{32}\.(?:png|jpeg|webp|gif|svg)\.part$/;

const sweepEveryMs = 5 * 60_000;
/** Tiny images would exhaust directory entries long before bytes. */
const filesMax = 100_000;
const statsAtOnce = 64;

interface StoredFile {
  readonly bytes: number;
  readonly createdAt: number;
}

class DiskImageStore implements ImageStore {
  readonly #folder: string;
  readonly #options: DiskImageStoreOptions;
  readonly #timer: NodeJS.Timeout;
  /** Oldest first. */
  #files = new Map<string, StoredFile>();
  #bytes = 0;
  /** Changes of the folder run one after another, so that the byte count stays correct. */
  readonly #turns = new Semaphore(1);

  constructor(folder: string, options: DiskImageStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#timer = setInterval(() => {
      this.sweep().catch((failure: unknown) =>
        options.log.error({ err: failure }, "Expired images could not be removed."),
      );
    }, sweepEveryMs).unref();
  }

  async checkWritable(): Promise<void> {
    this.#options.disk?.checkRoom(0);
  }

  async put(content: Buffer, format: ImageFormat): Promise<string> {
    const bytes = content.length;
    const { bytesMax, now, self } = this.#options;
    if (bytes > bytesMax) {
      throw new Error(`An image of ${bytes} bytes does not fit in a store of ${bytesMax} bytes.`);
    }
    const file = `${randomBytes(16).toString("hex")}.${format}`;
    return this.#turns.run(async () => {
      await this.#makeRoom(bytes);
      const createdAt = now();
      await writeFileByDraft({ folder: this.#folder, name: file, writer: self.id }, async (draft) => {
        await draft.writeFile(content);
        await draft.utimes(createdAt / 1000, createdAt / 1000);
      });
      this.#files.set(file, { bytes, createdAt });
      this.#bytes += bytes;
      return file;
    });
  }

  async open(file: string): Promise<StoredImage | undefined> {
    const format = fileName.exec(file)?.[1] as ImageFormat | undefined;
    if (format === undefined) return undefined;
    const opened = await openFile(join(this.#folder, file));
    return opened && { ...opened, format };
  }

  /** Recounts the folder, since other processes may share it, and removes expired images. */
  async sweep(): Promise<void> {
    return this.#turns.run(async () => {
      const files = await this.#list();
      this.#files = new Map(files.sort(([, left], [, right]) => left.createdAt - right.createdAt));
      this.#bytes = files.reduce((sum, [, { bytes }]) => sum + bytes, 0);
      await this.#makeRoom(0);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turns.run(() => Promise.resolve());
  }

  /** All images have the same lifetime, so the oldest expire first. */
  async #makeRoom(bytes: number): Promise<void> {
    const { bytesMax, ttlMs, now } = this.#options;
    for (const [file, { bytes: fileBytes, createdAt }] of this.#files) {
      const isExpired = createdAt + ttlMs <= now();
      if (!isExpired && this.#bytes + bytes <= bytesMax && this.#files.size < filesMax) return;
      await rm(join(this.#folder, file), { force: true });
      this.#files.delete(file);
      this.#bytes -= fileBytes;
    }
  }

  async #list(): Promise<[string, StoredFile][]> {
    const names = await readdir(this.#folder);
    const files: [string, StoredFile][] = [];
    for (let at = 0; at < names.length; at += statsAtOnce) {
      const some = names.slice(at, at + statsAtOnce);
      const found = await Promise.all(some.map((name) => this.#inspect(name)));
      files.push(...found.flat());
    }
    return files;
  }

  /** A draft with our process id is from an earlier process: this one does not write while it inspects the folder. */
  async #inspect(name: string): Promise<[string, StoredFile][]> {
    const path = join(this.#folder, name);
    const writer = draftName.exec(name)?.[1];
    if (writer !== undefined && hasDied(Number(writer), this.#options.self)) await rm(path, { force: true });
    if (!fileName.test(name)) return [];
    const stats = await stat(path).catch(unlessMissing);
    return stats === undefined ? [] : [[name, { bytes: stats.size, createdAt: stats.mtimeMs }]];
  }
}
