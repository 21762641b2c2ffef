import { mediaTypes } from "@model-gateway/domain/image-profile";
import { type ExpiringObjects, parseObjectName } from "@model-gateway/object-store/expiring-objects";
import { S3Error } from "@model-gateway/object-store/s3-error";
import { backoffMs } from "@model-gateway/runtime/backoff";
import { withTimeout } from "@model-gateway/runtime/with-timeout";
import type { Logger } from "pino";
import type { UploadSpool } from "./upload-spool.js";

export interface LateUploadsOptions {
  readonly objects: ExpiringObjects;
  readonly spool: UploadSpool;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
  /** The first pause between two attempts. Each failure doubles it. */
  readonly uploadEveryMs?: number;
}

const uploadEveryMsDefault = 5000;
const pauseMsMax = 60_000;
/** Number of refused images before the others are left for the next attempt. */
const refusedMax = 3;
/** Time that the last attempt may delay a stop. */
const closeMsMax = 5000;

/** Uploads the images that wait in the spool, oldest first, until none is left. */
export class LateUploads {
  readonly #options: LateUploadsOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failuresInRow = 0;
  #isClosed = false;

  constructor(options: LateUploadsOptions) {
    this.#options = options;
  }

  /** Call it when an image has been spooled, and at the start, when some may be left from before. */
  schedule(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    const { uploadEveryMs = uploadEveryMsDefault } = this.#options;
    const pauseMs = backoffMs(this.#failuresInRow + 1, { firstMs: uploadEveryMs, maxMs: pauseMsMax });
    this.#timer = setTimeout(() => void this.#run(), pauseMs).unref();
  }

  /** Tries once more. Images that still wait are uploaded after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await withTimeout(this.#run(), closeMsMax, () => undefined);
  }

  /** One attempt at a time. */
  #run(): Promise<void> {
    this.#running ??= this.#attempt().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #attempt(): Promise<void> {
    let isFailed = false;
    try {
      await this.#uploadAll(await this.#waiting());
    } catch (failure) {
      isFailed = true;
      // A failure of the bucket has been logged by its probe.
      if (!(failure instanceof S3Error))
        this.#options.log.error({ err: failure }, "The images that wait on disk could not be read.");
    }
    this.#failuresInRow = isFailed ? this.#failuresInRow + 1 : 0;
    // Another image may have been spooled meanwhile.
    if (isFailed || (await this.#waiting().catch(() => [])).length > 0) this.schedule();
  }

  /** Removes expired images, and returns the names of the others. */
  async #waiting(): Promise<string[]> {
    const { spool, now } = this.#options;
    const waiting: string[] = [];
    for (const file of await spool.list()) {
      const name = parseObjectName(file);
      if (name === undefined) continue;
      if (name.expiresAt > now()) waiting.push(file);
      else await spool.remove(file);
    }
    return waiting;
  }

  /** One image that the bucket never accepts must not hold up the others. */
  async #uploadAll(files: readonly string[]): Promise<void> {
    if (files.length === 0) return;
    // A bucket that is down is asked with a small object, not with the first image each time.
    await this.#options.objects.checkWritable();
    const refusals: S3Error[] = [];
    for (const file of files) {
      try {
        await this.#uploadOne(file);
      } catch (failure) {
        if (!(failure instanceof S3Error) || failure.isTransient) throw failure;
        refusals.push(failure);
        if (refusals.length >= refusedMax) break;
      }
    }
    if (refusals[0] !== undefined) throw refusals[0];
  }

  async #uploadOne(file: string): Promise<void> {
    const { objects, spool, log } = this.#options;
    const content = await spool.read(file);
    // Another worker has uploaded it.
    if (content === undefined) return;
    const extension = parseObjectName(file)?.extension ?? "json";
    await objects.put(file, content, {
      type: extension === "json" ? "application/json" : mediaTypes[extension],
    });
    await spool.remove(file);
    log.info("An image that waited on disk was uploaded.");
  }
}
