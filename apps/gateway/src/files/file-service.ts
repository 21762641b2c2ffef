import type { Readable } from "node:stream";
import type { FileSettings } from "@model-gateway/config/config";
import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { maySee, type RecordOwner, type Viewer } from "@model-gateway/domain/record-owner";
import { newOrderedId } from "@model-gateway/runtime/new-id";
import { SharedPool } from "@model-gateway/runtime/shared-pool";
import type { Logger } from "pino";
import type {
  ExceededQuota,
  FileIndex,
  FilePage,
  FilePurpose,
  FileQuery,
  FileQuotas,
  FileRecord,
} from "./file-index.js";
import { type FileRange, type FileStore, type FileWriter, MissingFileError } from "./file-store.js";
import { FileSweep, type FindNeeded } from "./file-sweep.js";

interface FileServiceOptions {
  readonly store: FileStore;
  readonly index: FileIndex;
  readonly settings: FileSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Uploads at once in one process. With a bucket, each has a part in memory. */
const uploadsMax = 16;

/** A file that a batch writes. */
interface OutputFile extends RecordOwner {
  /** An id of `createFileId`. Absent: a new one. */
  readonly id?: string;
  readonly filename: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The images behind its links. */
  readonly linkedBytes: number;
  readonly write: AsyncIterable<Buffer>;
}

/** Files of callers: their bytes and their records. Each belongs to a key and its owner. */
export class FileService {
  readonly store: FileStore;
  readonly #options: FileServiceOptions;
  readonly #sweep: FileSweep;
  readonly #uploads = new SharedPool(uploadsMax);

  constructor(options: FileServiceOptions) {
    this.store = options.store;
    this.#options = options;
    this.#sweep = new FileSweep(options);
  }

  get quotas(): FileQuotas {
    return this.#options.settings;
  }

  get fileBytesMax(): number {
    return this.#options.settings.fileBytesMax;
  }

  /**
   * Begins an upload. Rejects if the key may have no more of them now, and if the store is full, down, or has no room
   * for a file of the declared size.
   *
   * @param bytes The size, as far as it is known.
   */
  async begin({ keyId, owner }: RecordOwner, bytes = 0): Promise<FileUpload> {
    const { store, index, settings, now } = this.#options;
    if (!this.#uploads.take(keyId, 1)) throw this.#tooManyUploads(keyId);
    const onEnd = () => this.#uploads.giveBack(keyId, 1);
    try {
      const exceeded = await index.check({ keyId, bytes }, settings);
      if (exceeded !== undefined) throw quotaExceeded(exceeded, settings);
      await store.checkWritable(bytes);
      const createdAt = now();
      const id = newOrderedId("file-", createdAt);
      const writer = await store.create(id);
      return new FileUpload(writer, {
        ...this.#options,
        file: { id, keyId, owner, createdAt },
        onEnd,
      });
    } catch (failure) {
      onEnd();
      throw failure;
    }
  }

  /** Throws `file_not_found` for a file that the viewer may not see as for one that does not exist. */
  async retrieve(id: string, viewer: Viewer): Promise<FileRecord> {
    const record = await this.#options.index.find(id);
    if (record === undefined || !maySee(viewer, record)) throw fileNotFound(id);
    return record;
  }

  /** Remembers why a file was refused, so that it is not read again for that. */
  noteRefusal(id: string, refusal: string): Promise<void> {
    return this.#options.index.noteRefusal(id, refusal);
  }

  refusalOf(id: string): Promise<string | undefined> {
    return this.#options.index.refusalOf(id);
  }

  list(query: Omit<FileQuery, "of">, viewer: Viewer): Promise<FilePage> {
    return this.#options.index.list(viewer === "operator" ? query : { ...query, of: viewer });
  }

  /** The bytes of a file that `retrieve` has found. */
  async read({ id, site }: Pick<FileRecord, "id" | "site">, range?: FileRange): Promise<Readable> {
    const { index } = this.#options;
    try {
      return await this.store.read(id, range);
    } catch (failure) {
      if (!(failure instanceof MissingFileError)) throw failure;
      // It may have been deleted since it was found.
      if ((await index.find(id)) === undefined) throw fileNotFound(id);
      if (site !== index.site) throw storedElsewhere(failure);
      throw errorOf("file_store_unavailable", {}, { cause: failure, retryAfterMs: 1000 });
    }
  }

  async delete(id: string, viewer: Viewer): Promise<void> {
    const { index } = this.#options;
    const { site } = await this.retrieve(id, viewer);
    // The gateway that has the bytes deletes them soon: to it, the file has expired.
    const isGone = site === index.site ? await index.delete(id) : await index.expire(id);
    if (!isGone) throw fileNotFound(id);
    // The file is gone for every caller. If the store is down, a sweep removes the bytes later.
    await this.store
      .delete(id)
      .catch((failure: unknown) =>
        this.#options.log.warn({ err: failure }, "The bytes of a file stay a while."),
      );
  }

  /** Writes a result of a batch. Its space was reserved, so it is never refused because of a quota. */
  async createOutput({
    keyId,
    owner,
    filename,
    expiresAt,
    linkedBytes,
    write,
    ...output
  }: OutputFile): Promise<FileRecord> {
    const { store, now } = this.#options;
    const createdAt = now();
    const { id = newOrderedId("file-", createdAt) } = output;
    const file = { id, keyId, owner, createdAt, linkedBytes };
    const upload = new FileUpload(await store.create(id), { ...this.#options, file, isOutput: true });
    try {
      for await (const chunk of write) await upload.write(chunk);
      return await upload.finish({ filename, purpose: "batch_output", expiresAt });
    } finally {
      await upload.abort();
    }
  }

  /** Removes a result that may be there from an earlier attempt. */
  async discard(id: string): Promise<void> {
    await this.#options.index.delete(id);
    await this.store.delete(id);
  }

  /** Lets the sweep delete files of another kind, such as `part`, once they are not needed any more. */
  sweepKind(kind: string, findNeeded: FindNeeded): void {
    this.#sweep.add(kind, findNeeded);
  }

  /** Removes expired files, and bytes that a crash has left behind. */
  sweep(): Promise<void> {
    return this.#sweep.run();
  }

  /** Sweeps now and then, until `close`. */
  start(): void {
    this.#sweep.start();
  }

  close(): void {
    this.#sweep.close();
  }

  #tooManyUploads(keyId: string): GatewayError {
    const { used, max } = this.#uploads;
    const held = this.#uploads.heldBy(keyId);
    const places = `It receives up to ${max} files at once, of which a key may have as many as it leaves free.`;
    return new GatewayError(
      "gateway_overloaded",
      `The gateway receives ${used} files at the moment, ${held} of them from this key. ${places} Retry in a moment.`,
      { retryAfterMs: 1000, nothingBilled: true },
    );
  }
}

interface UploadOptions extends Pick<FileServiceOptions, "store" | "index" | "settings"> {
  readonly file: Pick<FileRecord, "id" | "keyId" | "owner" | "createdAt" | "linkedBytes">;
  readonly isOutput?: boolean;
  readonly onEnd?: () => void;
}

interface FileDescription {
  readonly filename: string;
  readonly purpose: FilePurpose;
  /** Milliseconds since 1970. Default: after the configured time. */
  readonly expiresAt?: number | undefined;
}

/** A file that arrives. It exists once `finish` has resolved. Every upload must be finished or aborted. */
export class FileUpload {
  readonly #writer: FileWriter;
  readonly #options: UploadOptions;
  #bytes = 0;
  #isOver = false;

  constructor(writer: FileWriter, options: UploadOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  /** When the upload began, in milliseconds since 1970. */
  get createdAt(): number {
    return this.#options.file.createdAt;
  }

  async write(chunk: Buffer): Promise<void> {
    const { settings, isOutput = false } = this.#options;
    this.#bytes += chunk.length;
    if (!isOutput && this.#bytes > settings.fileBytesMax) throw fileTooLarge(settings.fileBytesMax);
    await this.#writer.write(chunk);
  }

  async finish({ filename, purpose, expiresAt }: FileDescription): Promise<FileRecord> {
    const { store, index, settings, file, isOutput = false } = this.#options;
    const { bytes } = await this.#writer.commit();
    this.#end();
    const record = {
      ...file,
      filename,
      purpose,
      bytes,
      expiresAt: expiresAt ?? file.createdAt + settings.keepMs,
      site: index.site,
    };
    // After a failure the record may exist all the same, so the bytes stay. A sweep removes them if it does not.
    const exceeded = await index.insert(record, isOutput ? undefined : settings);
    if (exceeded === undefined) return record;
    await store.delete(file.id).catch(() => undefined);
    throw quotaExceeded(exceeded, settings);
  }

  /** Leaves no bytes. It does nothing after `finish`. */
  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#writer.abort();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onEnd?.();
  }
}

function fileNotFound(id: string): GatewayError {
  return errorOf("file_not_found", { id }, { param: "file" });
}

/** A retry may reach the gateway that has the bytes. */
function storedElsewhere(cause: unknown): GatewayError {
  return new GatewayError(
    "file_store_unavailable",
    "The file is on the disk of another gateway, and only that one can return its content. Retry in a moment.",
    { cause, retryAfterMs: 1000 },
  );
}

function fileTooLarge(bytesMax: number): GatewayError {
  return new GatewayError("content_too_large", `The file is larger than the limit of ${bytesMax} bytes.`, {
    param: "file",
  });
}

function quotaExceeded(quota: ExceededQuota, settings: FileQuotas): GatewayError {
  const max = settings[quota];
  if (quota === "storeBytesMax")
    return new GatewayError(
      "storage_full",
      `The files of all keys may have ${max} bytes, and this one does not fit. Retry when others were deleted or have expired.`,
      { retryAfterMs: 60_000 },
    );
  const limit = quota === "keyFilesMax" ? `${max} files` : `${max} bytes of files`;
  return errorOf("file_quota_exceeded", { limit }, { param: "file" });
}
