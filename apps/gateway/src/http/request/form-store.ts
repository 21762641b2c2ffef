import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Descriptors, FileReservation } from "../../execution/descriptors.js";
import { CallerLeftError } from "../../execution/request-lifetime.js";
import { BytePace } from "./chunk-pace.js";
import type { Upload } from "./upload.js";
import { FormBuffers, type UploadMemory } from "./upload-memory.js";

/** The machine's resources that a form uses. */
export interface FormResources {
  readonly uploadDir: string;
  readonly uploads: UploadMemory;
  readonly descriptors: Pick<Descriptors, "reserveFiles">;
  readonly disk: { readonly checkRoom: (bytes: number) => void };
}

/** Every form needs descriptors for the upstream, and for its response where that is stored. */
const descriptorsAlways = 2;

/** The files of one form: in memory while there is room, the rest on disk. */
export class FormStore {
  readonly #resources: FormResources;
  readonly #formBytes: number;
  readonly #buffers: FormBuffers;
  readonly #pace = new BytePace(unpausedBytes, stepBytes);
  readonly #reservations: FileReservation[] = [];
  readonly #writers: WriteStream[] = [];
  #folder: Promise<string> | undefined;
  #isReleased = false;

  /**
   * Throws if the machine has no room for the form.
   *
   * @param formBytes The declared length of the form. Undefined if unknown.
   */
  constructor(formBytes: number | undefined, resources: FormResources) {
    this.#resources = resources;
    this.#formBytes = formBytes ?? 0;
    if (this.#formBytes > resources.uploads.bytesFree) resources.disk.checkRoom(this.#formBytes);
    this.#reserve(descriptorsAlways);
    this.#buffers = new FormBuffers(resources.uploads, formBytes ?? Number.POSITIVE_INFINITY);
  }

  /** Keeps a file of the form. Resolves when the whole file has arrived. */
  keep(file: Readable): Promise<Upload> {
    return new ArrivingFile(file, {
      buffers: this.#buffers,
      pace: this.#pace,
      openFile: () => this.#openFile(),
    }).receive();
  }

  /** Gives back memory, files and descriptors. Later chunks are not kept. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#buffers.release();
    try {
      const folder = await this.#folder?.catch(() => undefined);
      // A file that is being opened would be created after its folder was removed.
      await Promise.all(this.#writers.map(closed));
      if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    } finally {
      for (const { release } of this.#reservations) release();
    }
  }

  /** Most forms are in memory. The first file that is not creates the folder, which takes a descriptor. */
  async #openFile(): Promise<WriteStream> {
    const { disk, uploadDir } = this.#resources;
    if (this.#isReleased) throw new CallerLeftError();
    disk.checkRoom(this.#formBytes);
    this.#reserve(this.#folder === undefined ? 2 : 1);
    this.#folder ??= createFolder(uploadDir);
    const folder = await this.#folder;
    if (this.#isReleased) throw new CallerLeftError();
    const path = join(folder, String(this.#writers.length));
    const writer = createWriteStream(path, { flags: "wx", highWaterMark: writtenBytes });
    this.#writers.push(writer);
    return writer;
  }

  #reserve(count: number): void {
    this.#reservations.push(this.#resources.descriptors.reserveFiles(count));
  }
}

/** Bytes of a file that may wait for the disk. They are written in one call. */
const writtenBytes = 1024 * 1024;

/** The disk may have been full at the start, so that the folder of this process could not be created. */
async function createFolder(uploadDir: string): Promise<string> {
  await mkdir(uploadDir, { recursive: true });
  return mkdtemp(join(uploadDir, "form-"));
}

function closed(writer: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (writer.closed) return resolve();
    writer.once("close", resolve).on("error", () => undefined);
    writer.destroy();
  });
}

/** The start of a form is received without a look at the time. */
const unpausedBytes = 1024 * 1024;
/** So much is received between two looks. On a busy machine the time is always over, and each pause has a price. */
const stepBytes = 512 * 1024;

interface IncomingFileOptions {
  readonly buffers: FormBuffers;
  readonly pace: BytePace;
  readonly openFile: () => Promise<WriteStream>;
}

/** Bytes at the start of a file that always stay in memory: most image headers fit. */
const headBytes = 4096;

/** A file that arrives. It uses listeners: an async iterator would join chunks that have to be copied anyway. */
class ArrivingFile {
  readonly #source: Readable;
  readonly #options: IncomingFileOptions;
  readonly #pieces: Buffer[] = [];
  #heldBytes = 0;
  #bytes = 0;
  #writer: WriteStream | undefined;
  /** For how many reasons the source is paused. */
  #pauses = 0;
  #fail: (failure: unknown) => void = () => undefined;

  constructor(source: Readable, options: IncomingFileOptions) {
    this.#source = source;
    this.#options = options;
  }

  receive(): Promise<Upload> {
    const source = this.#source;
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => this.#add(chunk);
      this.#fail = (failure) => {
        // The rest is read and dropped, so that the form goes on.
        source.off("data", onData).resume();
        this.#pauses = 0;
        reject(failure);
      };
      source
        .on("data", onData)
        .once("error", this.#fail)
        .once("end", () => this.#finish(resolve))
        .once("close", () => {
          if (!source.readableEnded) this.#fail(new CallerLeftError());
        });
    });
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const rest = this.#writer === undefined ? this.#hold(chunk) : chunk;
    if (rest.length > 0) this.#write(rest);
    else this.#options.buffers.free(chunk);
    const wait = this.#pauses === 0 ? this.#options.pace.add(chunk.length) : undefined;
    if (wait !== undefined) this.#pauseFor(wait);
  }

  /** Returns the bytes that do not fit. */
  #hold(chunk: Buffer): Buffer {
    let rest = chunk;
    while (rest.length > 0) {
      const copy = this.#options.buffers.copy(rest);
      if (copy === undefined) return this.#holdHead(rest);
      this.#addPiece(copy);
      rest = rest.subarray(copy.length);
    }
    return rest;
  }

  #holdHead(chunk: Buffer): Buffer {
    const head = chunk.subarray(0, Math.max(0, headBytes - this.#heldBytes));
    if (head.length > 0) this.#addPiece(Buffer.from(head));
    return chunk.subarray(head.length);
  }

  #addPiece(piece: Buffer): void {
    this.#heldBytes += piece.length;
    const last = this.#pieces.at(-1);
    const isNext = last?.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset;
    if (last === undefined || !isNext) this.#pieces.push(piece);
    else this.#pieces.splice(-1, 1, Buffer.from(last.buffer, last.byteOffset, last.length + piece.length));
  }

  #write(chunk: Buffer): void {
    const writer = this.#writer;
    if (writer === undefined) {
      this.#pauseFor(this.#beginFile(chunk));
    } else if (!this.#writeTo(writer, chunk)) {
      this.#pauseFor(new Promise<void>((resolve) => writer.once("drain", resolve)));
    }
  }

  async #beginFile(chunk: Buffer): Promise<void> {
    this.#writer = await this.#options.openFile();
    this.#writeTo(this.#writer.once("error", this.#fail), chunk);
  }

  /** Returns whether more may be written at once. */
  #writeTo(writer: WriteStream, chunk: Buffer): boolean {
    return writer.write(chunk, (failure) => {
      if (!failure) this.#options.buffers.free(chunk);
    });
  }

  #pauseFor(work: Promise<unknown>): void {
    this.#pauses += 1;
    this.#source.pause();
    work.then(() => {
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#source.resume();
    }, this.#fail);
  }

  #finish(resolve: (upload: Upload) => void): void {
    const writer = this.#writer;
    const { path } = writer ?? {};
    const upload = {
      bytes: this.#bytes,
      pieces: this.#pieces,
      heldBytes: this.#heldBytes,
      path: path === undefined ? undefined : String(path),
    };
    if (writer === undefined) resolve(upload);
    else writer.end((failure?: Error | null) => (failure ? this.#fail(failure) : resolve(upload)));
  }
}
