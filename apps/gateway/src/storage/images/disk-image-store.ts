import { type FileHandle, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@model-gateway/domain/failure-code";
import type { ImageFormat } from "@model-gateway/domain/image-profile";
import { hasDied, type ProcessIdentity } from "@model-gateway/domain/process-identity";
import { every, type Repetition } from "@model-gateway/runtime/every";
import { FairEviction, type StoredItem } from "@model-gateway/runtime/fair-eviction";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { writeWhole } from "@model-gateway/runtime/write-whole";
import type { Logger } from "pino";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";
import type { DiskSpace } from "../disk-space.js";
import { ImageNames, imageName } from "./image-names.js";
import { openFile } from "./open-file.js";

export interface DiskImageStoreOptions {
  readonly dataDir: string;
  readonly disk?: Pick<DiskSpace, "checkRoom">;
  /** Limit for all images together. */
  readonly bytesMax: number;
  /** The secret of the links. */
  readonly secret: Buffer;
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

const draftName = /^(\d+)-[0-9a-f]{32}\.(?:png|jpeg|webp|gif|svg)\.part$/;

const sweepEveryMs = 5 * 60_000;
/** Tiny images would exhaust directory entries long before bytes. So each counts as this part of the limit at least. */
const filesMax = 100_000;
const statsAtOnce = 64;

class DiskImageStore implements ImageStore {
  readonly #folder: string;
  readonly #options: DiskImageStoreOptions;
  readonly #names: ImageNames;
  readonly #sweeping: Repetition;
  #eviction: FairEviction;
  /** Changes of the folder run one after another, so that the byte count stays correct. */
  readonly #turns = new Semaphore(1);

  constructor(folder: string, options: DiskImageStoreOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#names = new ImageNames(options.secret);
    this.#eviction = new FairEviction(options.bytesMax);
    this.#sweeping = every(sweepEveryMs, () => this.sweep(), {
      task: "remove_expired_images",
      onFailure: (failure) => options.log.error({ err: failure }, "Expired images could not be removed."),
    });
  }

  async checkWritable(): Promise<void> {
    this.#options.disk?.checkRoom(0);
  }

  async put(content: Buffer, format: ImageFormat, key: string): Promise<string> {
    const bytes = content.length;
    const { bytesMax, now, self } = this.#options;
    if (bytes > bytesMax) {
      throw new Error(`An image of ${bytes} bytes does not fit in a store of ${bytesMax} bytes.`);
    }
    const file = this.#names.create(key, format);
    return this.#turns.run(async () => {
      const createdAt = now();
      const item = this.#itemOf(file, bytes, createdAt);
      await this.#makeRoom(item);
      const write = async (draft: FileHandle) => {
        await draft.writeFile(content);
        await draft.utimes(createdAt / 1000, createdAt / 1000);
      };
      await writeWhole(join(this.#folder, file), write, {
        draft: join(this.#folder, `${self.id}-${file}.part`),
      });
      this.#eviction.add(file, item);
      return file;
    });
  }

  async open(file: string): Promise<StoredImage | undefined> {
    const format = imageName.exec(file)?.[1] as ImageFormat | undefined;
    if (format === undefined) return undefined;
    const opened = await openFile(join(this.#folder, file));
    return opened && { ...opened, format };
  }

  /** Recounts the folder, since other processes may share it, and removes expired images. */
  async sweep(): Promise<void> {
    return this.#turns.run(async () => {
      const files = await this.#list();
      this.#eviction = new FairEviction(this.#options.bytesMax);
      for (const [file, item] of files.sort(([, left], [, right]) => left.writtenAt - right.writtenAt))
        this.#eviction.add(file, item);
      await this.#makeRoom();
    });
  }

  async close(): Promise<void> {
    void this.#sweeping.stop();
    await this.#turns.run(() => Promise.resolve());
  }

  /** Removes expired images, and then others until the new one fits. */
  async #makeRoom(item?: StoredItem): Promise<void> {
    const { ttlMs, now } = this.#options;
    const next = () => this.#eviction.writtenBy(now() - ttlMs) ?? this.#eviction.next(item);
    for (let file = next(); file !== undefined; file = next()) {
      await rm(join(this.#folder, file), { force: true });
      this.#eviction.delete(file);
    }
  }

  async #list(): Promise<[string, StoredItem][]> {
    const names = await readdir(this.#folder);
    const files: [string, StoredItem][] = [];
    for (let at = 0; at < names.length; at += statsAtOnce) {
      const some = names.slice(at, at + statsAtOnce);
      const found = await Promise.all(some.map((name) => this.#inspect(name)));
      files.push(...found.flat());
    }
    return files;
  }

  /** A draft with our process id is from an earlier process: this one does not write while it inspects the folder. */
  async #inspect(name: string): Promise<[string, StoredItem][]> {
    const path = join(this.#folder, name);
    const writer = draftName.exec(name)?.[1];
    if (writer !== undefined && hasDied(Number(writer), this.#options.self)) await rm(path, { force: true });
    if (!imageName.test(name)) return [];
    const stats = await stat(path).catch(unlessMissing);
    return stats === undefined ? [] : [[name, this.#itemOf(name, stats.size, stats.mtimeMs)]];
  }

  #itemOf(file: string, bytes: number, writtenAt: number): StoredItem {
    const size = Math.max(bytes, Math.floor(this.#options.bytesMax / filesMax));
    return { owner: this.#names.ownerOf(file), size, writtenAt };
  }
}
