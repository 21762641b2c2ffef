import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { ImageFormat } from "../../domain/image-profile.js";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";

export interface DiskImageStoreNeeds {
  readonly dataDir: string;
  /** How many bytes all images together may take. */
  readonly bytesMax: number;
  readonly ttlMs: number;
  /** Unix milliseconds, as the times of files are. */
  readonly now: () => number;
  /** The process that runs, and how to know whether another one still does. */
  readonly self: { readonly id: number; readonly isAlive: (id: number) => boolean };
  readonly log: Logger;
}

/** Keeps images as files in the data folder. What a crashed process has left half-written is removed. */
export async function openDiskImageStore(needs: DiskImageStoreNeeds): Promise<ImageStore> {
  const folder = join(needs.dataDir, "pictures");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const store = new DiskImageStore(folder, needs);
  await store.sweep();
  return store;
}

/** 128 random bits: a name cannot be guessed, and it cannot lead out of the folder. */
const fileName = /^[0-9a-f]{32}\.(png|jpeg|webp)$/;
const draftName = /^(\d+)-[0-9a-f]{32}\.(?:png|jpeg|webp)\.part$/;

const sweepMs = 5 * 60_000;
/** The smallest images would fill the folder with names long before they fill it with bytes. */
const filesMax = 100_000;
const readAtOnce = 64;

interface KeptFile {
  readonly bytes: number;
  readonly madeAt: number;
}

class DiskImageStore implements ImageStore {
  readonly #folder: string;
  readonly #needs: DiskImageStoreNeeds;
  readonly #timer: NodeJS.Timeout;
  /** The oldest first. */
  #kept = new Map<string, KeptFile>();
  #bytes = 0;
  /** Whatever changes the folder waits for what came before, so that the count is always true. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, needs: DiskImageStoreNeeds) {
    this.#folder = folder;
    this.#needs = needs;
    this.#timer = setInterval(() => {
      this.sweep().catch((failure: unknown) =>
        needs.log.error({ err: failure }, "Expired images could not be removed."),
      );
    }, sweepMs).unref();
  }

  async put(content: Buffer, format: ImageFormat): Promise<string> {
    const bytes = content.length;
    const { bytesMax, now } = this.#needs;
    if (bytes > bytesMax) {
      throw new Error(`An image of ${bytes} bytes does not fit in a store of ${bytesMax} bytes.`);
    }
    const file = `${randomBytes(16).toString("hex")}.${format}`;
    return this.#inTurn(async () => {
      await this.#makeRoom(bytes);
      const madeAt = now();
      await this.#write(file, { content, madeAt });
      this.#kept.set(file, { bytes, madeAt });
      this.#bytes += bytes;
      return file;
    });
  }

  async open(file: string): Promise<StoredImage | undefined> {
    const format = fileName.exec(file)?.[1] as ImageFormat | undefined;
    if (format === undefined) return undefined;
    // Held open, so that an image which is removed from here on is still read to its end.
    const handle = await open(join(this.#folder, file)).catch(ifThere);
    if (handle === undefined) return undefined;
    const { size } = await handle.stat();
    return {
      bytes: size,
      format,
      read: (range) => handle.createReadStream(range),
      close: () => handle.close(),
    };
  }

  /** Counts the folder anew: other processes may share it, and no count survives everything. */
  async sweep(): Promise<void> {
    return this.#inTurn(async () => {
      const files = await this.#list();
      this.#kept = new Map(files.sort(([, left], [, right]) => left.madeAt - right.madeAt));
      this.#bytes = files.reduce((sum, [, { bytes }]) => sum + bytes, 0);
      await this.#makeRoom(0);
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** All live equally long, so that the oldest are the expired ones first. */
  async #makeRoom(bytes: number): Promise<void> {
    const { bytesMax, ttlMs, now } = this.#needs;
    for (const [file, kept] of this.#kept) {
      const isExpired = kept.madeAt + ttlMs <= now();
      if (!isExpired && this.#bytes + bytes <= bytesMax && this.#kept.size < filesMax) return;
      await rm(join(this.#folder, file), { force: true });
      this.#kept.delete(file);
      this.#bytes -= kept.bytes;
    }
  }

  /** Nobody sees an image before it is whole. */
  async #write(file: string, { content, madeAt }: { content: Buffer; madeAt: number }): Promise<void> {
    const draft = join(this.#folder, `${this.#needs.self.id}-${file}.part`);
    try {
      const handle = await open(draft, "wx", 0o600);
      try {
        await handle.writeFile(content);
        await handle.utimes(madeAt / 1000, madeAt / 1000);
      } finally {
        await handle.close();
      }
      await rename(draft, join(this.#folder, file));
    } catch (failure) {
      await rm(draft, { force: true });
      throw failure;
    }
  }

  async #list(): Promise<[string, KeptFile][]> {
    const names = await readdir(this.#folder);
    const files: [string, KeptFile][] = [];
    for (let at = 0; at < names.length; at += readAtOnce) {
      const some = names.slice(at, at + readAtOnce);
      const found = await Promise.all(some.map((name) => this.#look(name)));
      files.push(...found.flat());
    }
    return files;
  }

  /** A draft with our own number is from an earlier process that had it: ours is not writing while it looks. */
  async #look(name: string): Promise<[string, KeptFile][]> {
    const path = join(this.#folder, name);
    const writer = draftName.exec(name)?.[1];
    const { id, isAlive } = this.#needs.self;
    if (writer !== undefined && (Number(writer) === id || !isAlive(Number(writer)))) {
      await rm(path, { force: true });
    }
    if (!fileName.test(name)) return [];
    const stats = await stat(path).catch(ifThere);
    return stats === undefined ? [] : [[name, { bytes: stats.size, madeAt: stats.mtimeMs }]];
  }
}

/** A file that is not there is no failure. */
function ifThere(failure: unknown): undefined {
  if (failure instanceof Error && "code" in failure && failure.code === "ENOENT") return undefined;
  throw failure;
}
