import type { Readable } from "node:stream";

/** Stores the bytes of files, and nothing else about them. It runs on a disk or in a bucket. */
export interface FileStore {
  /** Rejects with a 503 if a file of this size cannot be stored now. */
  checkWritable(bytes: number): Promise<void>;
  /** A file that exists is replaced when the writer commits. */
  create(id: string, options?: CreateOptions): Promise<FileWriter>;
  /** The whole file, or a part of it. Rejects with a `MissingFileError` if there is no such file. */
  read(id: string, range?: FileRange): Promise<Readable>;
  /** Deleting a file that does not exist succeeds. */
  delete(id: string): Promise<void>;
  /** All stored files, in pages. */
  list(): AsyncIterable<readonly StoredFile[]>;
  /** Removes what unfinished writers have left behind. */
  sweep(): Promise<void>;
}

export interface CreateOptions {
  /**
   * `crash`: a committed file survives a crash of the process. After a power cut, it may be gone, empty or damaged. Absent:
   * it survives both.
   */
  readonly survives?: "crash";
}

/** The bytes count once `commit` has resolved. Every writer must be committed or aborted. */
export interface FileWriter {
  /** Resolves when more may be written. The chunk must not be changed until the commit. */
  write(chunk: Buffer): Promise<void>;
  /** Once this has resolved, every reader finds the file, and it survives a crash. */
  commit(): Promise<{ readonly bytes: number }>;
  /** Leaves no bytes. It does nothing after a commit. */
  abort(): Promise<void>;
}

/** A part of a file: from the byte `start` to the one before `end`. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredFile {
  readonly id: string;
  /** Milliseconds since 1970. In a bucket, the time at which writing began. */
  readonly writtenAt: number;
}

/** There is no such file, or no longer. */
export class MissingFileError extends Error {
  constructor(id: string) {
    super(`The file ${id} is not stored here.`);
    this.name = "MissingFileError";
  }
}

/** For a `catch`: there may be no such file. */
export function unlessMissing(failure: unknown): undefined {
  if (failure instanceof MissingFileError) return undefined;
  throw failure;
}

/** A kind and a name: `file-…`, `part-…`. Nothing else is an id, so no path leaves the folder of files. */
const idPattern = /^([a-z]{1,16})-[0-9A-Za-z_-]{1,100}$/;

/** The kind of a stored file, such as `file`. Undefined if the text is not an id. */
export function kindOf(id: string): string | undefined {
  return idPattern.exec(id)?.[1];
}

export function checkId(id: string): void {
  if (kindOf(id) === undefined) throw new Error("This is not the id of a file.");
}
