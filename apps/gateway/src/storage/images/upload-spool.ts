import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { unlessMissing } from "@model-gateway/domain/failure-code";
import { hasDied, type ProcessIdentity } from "@model-gateway/domain/process-identity";
import { Semaphore } from "@model-gateway/runtime/semaphore";
import { writeWhole } from "@model-gateway/runtime/write-whole";
import { type OpenFile, openFile } from "./open-file.js";

interface UploadSpoolOptions {
  readonly dataDir: string;
  /** Limit for all files together. */
  readonly bytesMax: number;
  readonly self: ProcessIdentity;
}

const draftName = /^(\d+)-.+\.part$/;

/**
 * Files that wait for their upload, in a folder that survives a crash. The workers of one gateway share it: each counts
 * the folder before it adds a file.
 */
export class UploadSpool {
  readonly #folder: string;
  readonly #options: UploadSpoolOptions;
  /** Additions run one after another, so that together they stay below the limit. */
  readonly #turns = new Semaphore(1);
  #bytes = 0;

  constructor(folder: string, options: UploadSpoolOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The part of the limit that was in use when the folder was last counted, from 0 to 1. */
  get fullness(): number {
    return this.#bytes / this.#options.bytesMax;
  }

  /** Once this has resolved, the file survives a crash. Rejects if it does not fit. */
  async add(name: string, content: Buffer): Promise<void> {
    return this.#turns.run(async () => {
      await this.list();
      if (this.#bytes + content.length > this.#options.bytesMax)
        throw new Error(
          `The files that wait for their upload use ${this.#bytes} bytes. Another does not fit.`,
        );
      const draft = join(this.#folder, `${this.#options.self.id}-${name}.part`);
      // The only copy of an image that was paid for.
      await writeWhole(join(this.#folder, name), content, { draft, isSynced: true });
      this.#bytes += content.length;
    });
  }

  /** The names of all files, sorted. */
  async list(): Promise<string[]> {
    const names = (await readdir(this.#folder)).filter((name) => !draftName.test(name)).sort();
    let bytes = 0;
    for (const name of names) {
      const found = await stat(join(this.#folder, name)).catch(unlessMissing);
      bytes += found?.size ?? 0;
    }
    this.#bytes = bytes;
    return names;
  }

  /** Undefined if there is no such file. The caller has checked the name. */
  open(name: string): Promise<OpenFile | undefined> {
    return openFile(join(this.#folder, name));
  }

  async read(name: string): Promise<Buffer | undefined> {
    return readFile(join(this.#folder, name)).catch(unlessMissing);
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true });
  }

  /** Removes the drafts of processes that have died. One with our own id is from an earlier process. */
  async removeDrafts(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const writer = draftName.exec(name)?.[1];
      if (writer !== undefined && hasDied(Number(writer), this.#options.self)) await this.remove(name);
    }
  }
}

export async function openUploadSpool(options: UploadSpoolOptions): Promise<UploadSpool> {
  const folder = join(options.dataDir, "image-uploads");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const spool = new UploadSpool(folder, options);
  await spool.removeDrafts();
  return spool;
}
