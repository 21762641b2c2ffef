import { Readable } from "node:stream";
import { fileStoreUnavailable } from "@model-gateway/domain/errors";
import { abortUpload, listUploads, partBytesMin } from "@model-gateway/object-store/multipart-upload";
import type { BucketFolder } from "@model-gateway/object-store/open-bucket";
import { S3Error } from "@model-gateway/object-store/s3-error";
import {
  checkId,
  type FileRange,
  type FileStore,
  type FileWriter,
  kindOf,
  MissingFileError,
  type StoredFile,
} from "../../files/file-store.js";
import { S3FileWriter } from "./s3-file-writer.js";

interface S3FileStoreOptions {
  readonly bucket: BucketFolder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Bytes of a part of an upload. Overridden in tests. */
  readonly partBytes?: number;
}

const pageKeys = 500;
/** An upload that was begun so long ago was left by a process that has died. No upload of a caller takes as long. */
const abandonedMs = 24 * 3_600_000;

/** Stores files in a bucket that all replicas reach. Each is one object. */
export class S3FileStore implements FileStore {
  readonly #options: S3FileStoreOptions;

  constructor(options: S3FileStoreOptions) {
    this.#options = options;
  }

  async checkWritable(): Promise<void> {
    await this.#options.bucket.probe.check().catch(refuse);
  }

  async create(id: string): Promise<FileWriter> {
    const { bucket, partBytes = partBytesMin } = this.#options;
    return new S3FileWriter(bucket, { key: this.#keyOf(id), partBytes });
  }

  async read(id: string, range?: FileRange): Promise<Readable> {
    if (range !== undefined && range.end <= range.start) return Readable.from([]);
    const part = range && { start: range.start, end: range.end - 1 };
    const object = await this.#options.bucket.client.get(this.#keyOf(id), part).catch((failure: unknown) => {
      if (failure instanceof S3Error && failure.status === 416) return { body: Readable.from([]) };
      return refuse(failure);
    });
    if (object === undefined) throw new MissingFileError(id);
    return object.body;
  }

  async delete(id: string): Promise<void> {
    await this.#options.bucket.client.delete(this.#keyOf(id)).catch(refuse);
  }

  async *list(): AsyncGenerator<readonly StoredFile[]> {
    const { client, prefix } = this.#options.bucket;
    for (let after: string | undefined; ; ) {
      const objects = await client.listObjects(prefix, { count: pageKeys, after }).catch(refuse);
      yield objects.flatMap(({ key, modifiedAt: writtenAt }) => {
        const id = key.slice(prefix.length);
        return kindOf(id) === undefined || Number.isNaN(writtenAt) ? [] : [{ id, writtenAt }];
      });
      after = objects.at(-1)?.key;
      if (objects.length < pageKeys) return;
    }
  }

  /** Other replicas may be uploading, so only old uploads are aborted. */
  async sweep(): Promise<void> {
    const { bucket, now } = this.#options;
    const uploads = await listUploads(bucket.client, bucket.prefix).catch(refuse);
    for (const upload of uploads)
      if (upload.begunAt <= now() - abandonedMs) await abortUpload(bucket.client, upload).catch(refuse);
  }

  #keyOf(id: string): string {
    checkId(id);
    return `${this.#options.bucket.prefix}${id}`;
  }
}

function refuse(failure: unknown): never {
  throw fileStoreUnavailable(failure);
}
