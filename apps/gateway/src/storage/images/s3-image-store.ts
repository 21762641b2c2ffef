import { Readable } from "node:stream";
import { GatewayError, imageStoreUnavailable } from "@model-gateway/domain/errors";
import { type ImageFormat, mediaTypes } from "@model-gateway/domain/image-profile";
import { createObjectName, parseObjectName, waitedFor } from "@model-gateway/object-store/expiring-objects";
import type { S3Object } from "@model-gateway/object-store/s3-client";
import { every, type Repetition } from "@model-gateway/runtime/every";
import type { ImageStore, StoredImage } from "../../images/delivery/image-store.js";
import { LateUploads, type LateUploadsOptions } from "./late-uploads.js";

interface S3ImageStoreOptions extends LateUploadsOptions {
  readonly ttlMs: number;
}

const sweepEveryMs = 5 * 60_000;
/** Above this, no more images are bought that might have to wait as well. */
const fullnessMax = 0.5;
/** The mark in the name of an image that reaches the bucket later than its link reaches the caller. */
const lateMark = 1;

/**
 * Stores images in a bucket that all replicas reach. An image that was bought and cannot be uploaded waits on this
 * replica's disk, which serves it meanwhile.
 */
export function openS3ImageStore(options: S3ImageStoreOptions): ImageStore {
  const store = new S3ImageStore(options);
  store.start();
  return store;
}

class S3ImageStore implements ImageStore {
  readonly #options: S3ImageStoreOptions;
  readonly #uploads: LateUploads;
  #sweeping: Repetition | undefined;
  #isClosed = false;

  constructor(options: S3ImageStoreOptions) {
    this.#options = options;
    this.#uploads = new LateUploads(options);
  }

  /** Nothing here delays the start of the gateway, and no failure prevents it. */
  start(): void {
    this.#sweeping = every(sweepEveryMs, () => this.sweep(), {
      task: "remove_expired_images",
      isImmediate: true,
      onFailure: (failure) => this.#onSweepFailure(failure),
    });
    // Reports a wrong bucket or wrong credentials at once: the probe logs it.
    void this.#options.objects.checkWritable().catch(() => undefined);
    this.#uploads.schedule();
  }

  async checkWritable(): Promise<void> {
    const { objects, spool } = this.#options;
    if (spool.fullness > fullnessMax)
      throw imageStoreUnavailable(new Error("Too many images wait for their upload."));
    try {
      await objects.checkWritable();
    } catch (failure) {
      throw imageStoreUnavailable(failure);
    }
  }

  async put(content: Buffer, format: ImageFormat): Promise<string> {
    const { objects, spool, ttlMs, now, log } = this.#options;
    const expiresAt = now() + ttlMs;
    const name = createObjectName({ expiresAt, mark: 0, extension: format });
    try {
      // A copy: a bucket may respond while the socket still holds the content.
      await objects.put(name, Buffer.from(content), { type: mediaTypes[format], ...waitedFor });
      return name;
    } catch (failure) {
      const late = createObjectName({ expiresAt, mark: lateMark, extension: format });
      await spool.add(late, content).catch((unspooled: unknown) => {
        throw lostImage(
          new AggregateError([failure, unspooled], "The image was neither uploaded nor spooled."),
        );
      });
      log.warn(
        { err: failure },
        "An image could not be uploaded. It waits on disk, and is served from there.",
      );
      this.#uploads.schedule();
      return late;
    }
  }

  async open(file: string): Promise<StoredImage | undefined> {
    const name = parseObjectName(file);
    if (name === undefined || name.extension === "json") return undefined;
    const { objects, spool } = this.#options;
    const isLate = name.mark === lateMark;
    const waiting = isLate ? await spool.open(file) : undefined;
    if (waiting !== undefined) return { ...waiting, format: name.extension };
    const object = await objects.get(file).catch((failure: unknown) => {
      throw imageStoreUnavailable(failure);
    });
    if (object !== undefined) return storedImage(object, name.extension);
    // It waits on another replica: the link is good, and its image is on the way.
    if (isLate && name.expiresAt > this.#options.now())
      throw imageStoreUnavailable(new Error("The image has not been uploaded yet."));
    return undefined;
  }

  sweep(): Promise<void> {
    return this.#options.objects.sweep();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    void this.#sweeping?.stop();
    await this.#uploads.close();
  }

  #onSweepFailure(failure: unknown): void {
    if (this.#isClosed) return;
    this.#options.log.warn({ err: failure }, "Expired images could not be removed from the bucket.");
  }
}

function lostImage(cause: unknown): GatewayError {
  return new GatewayError(
    "image_store_unavailable",
    "The image was created and is billed, but it could not be stored.",
    { cause, headers: { "x-should-retry": "false" } },
  );
}

function storedImage({ bytes, body }: S3Object, format: ImageFormat): StoredImage {
  return {
    bytes,
    format,
    read: (range) => (range === undefined ? body : Readable.from(slice(body, range))),
    close: async () => void body.destroy(),
  };
}

/**
 * Part of a body. The whole object was requested, since its size must be known before a range can be read; a second
 * request could find that it has been removed meanwhile.
 */
async function* slice(
  body: Readable,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  let at = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end + 1 - at));
    if (part.length > 0) yield part;
    at += chunk.length;
    if (at > end) return;
  }
}
