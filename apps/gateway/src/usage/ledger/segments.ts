import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Longer rows are not written, and longer lines are not rows. */
export const lineBytesMax = 32 * 1024;

/** A file of the spool, with one row per line. */
export interface Segment {
  readonly folder: string;
  readonly path: string;
  /** Its lines, if it is in memory because the disk could not take it. */
  readonly held?: string;
  bytes: number;
  /** The number of lines; some of them may turn out to be damaged. */
  rows: number;
  /** The arrival of the first row, or the file's last write: milliseconds since 1970. */
  since: number;
}

const namePattern = /^(\d{10})\.rows$/;

function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, "0")}.rows`);
}

/** Undefined for a file that is not a segment. */
function segmentNumber(name: string): number | undefined {
  const digits = namePattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** The segments that earlier processes left in a folder, oldest first, and the next free number. */
export async function findSegments(folder: string): Promise<{ segments: Segment[]; nextNumber: number }> {
  const numbers = (await readdir(folder))
    .flatMap((name) => segmentNumber(name) ?? [])
    .sort((left, right) => left - right);
  const segments: Segment[] = [];
  for (const number of numbers) segments.push(await describe(folder, segmentPath(folder, number)));
  return { segments, nextNumber: (numbers.at(-1) ?? 0) + 1 };
}

async function describe(folder: string, path: string): Promise<Segment> {
  const { size, mtimeMs } = await stat(path);
  return { folder, path, bytes: size, rows: await countLines(path), since: Math.round(mtimeMs) };
}

/** An unreadable file counts as empty here. The spool reader reports it. */
async function countLines(path: string): Promise<number> {
  let count = 0;
  try {
    for await (const lines of readLines(path, lineBytesMax)) count += lines.length;
  } catch {
    return count;
  }
  return count;
}

/** Consecutive lines for one segment. */
export interface SegmentLines {
  readonly text: string;
  readonly bytes: number;
  readonly rows: number;
  /** The arrival of the first row: milliseconds since 1970. */
  readonly at: number;
}

/**
 * Appends lines to a segment. Writes are synchronous: when `append` returns, the operating system has the lines, and they
 * survive a crash of the process.
 */
export class SegmentWriter {
  readonly #folder: string;
  #nextNumber: number;
  #isTorn = false;
  #open: { readonly file: number; readonly segment: Segment } | undefined;

  constructor(folder: string, nextNumber: number) {
    this.#folder = folder;
    this.#nextNumber = nextNumber;
  }

  /** The open segment, if any. */
  get segment(): Segment | undefined {
    return this.#open?.segment;
  }

  /** Throws if the lines could not be written completely. Then none of them is in the file. */
  append({ text, bytes, rows, at }: SegmentLines): void {
    this.#open ??= this.#begin(at);
    const { file, segment } = this.#open;
    const expected = this.#isTorn ? bytes + 1 : bytes;
    const written = writeSync(file, this.#isTorn ? `\n${text}` : text);
    if (written !== expected) {
      this.#takeBack(file, segment, written);
      // A full disk writes the bytes that fit, and fails only the next write.
      throw new Error(`Only ${written} of ${expected} bytes were written.`);
    }
    this.#isTorn = false;
    segment.bytes += expected;
    segment.rows += rows;
  }

  /** Closes the segment, so that it can be read. The next line starts another one. */
  seal(): Segment | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    this.#open = undefined;
    this.#isTorn = false;
    try {
      closeSync(open.file);
    } catch {
      // Closing writes nothing, so the lines are safe anyway.
    }
    return open.segment;
  }

  #begin(at: number): { file: number; segment: Segment } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = segmentPath(this.#folder, this.#nextNumber);
    this.#nextNumber += 1;
    // `x` fails if the file exists: only one process may write a segment.
    const file = openSync(path, "ax", 0o600);
    return { file, segment: { folder: this.#folder, path, bytes: 0, rows: 0, since: at } };
  }

  /** Removes a torn line, so that the next line is not appended to it. */
  #takeBack(file: number, segment: Segment, written: number): void {
    this.#isTorn = true;
    try {
      ftruncateSync(file, segment.bytes);
      this.#isTorn = false;
    } catch {
      // The next append then starts with a line break, and readers skip the torn line.
      segment.bytes += written;
    }
  }
}

const chunkBytes = 64 * 1024;
const newline = 10;

/** Reads the lines of a segment, from disk or from memory. */
export async function* linesOf({ path, held }: Segment): AsyncGenerator<(string | undefined)[]> {
  if (held === undefined) yield* readLines(path, lineBytesMax);
  else yield held.split("\n").slice(0, -1);
}

/**
 * Reads a file's lines chunk by chunk, at any file size. A line that is too long is undefined: a power failure can
 * leave megabytes without a line break. The last line may lack its line break.
 */
export async function* readLines(path: string, lineBytesMax: number): AsyncGenerator<(string | undefined)[]> {
  const file = await open(path);
  try {
    let partial: Buffer = Buffer.alloc(0);
    let isTooLong = false;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      const chunk = Buffer.concat([partial, buffer.subarray(0, bytesRead)]);
      const lines: (string | undefined)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        lines.push(isTooLong ? undefined : chunk.toString("utf8", start, end));
        isTooLong = false;
        start = end + 1;
      }
      partial = chunk.subarray(start);
      if (partial.length > lineBytesMax) {
        isTooLong = true;
        partial = Buffer.alloc(0);
      }
      if (bytesRead === 0 && (isTooLong || partial.length > 0))
        lines.push(isTooLong ? undefined : partial.toString("utf8"));
      if (lines.length > 0) yield lines;
      if (bytesRead === 0) return;
    }
  } finally {
    await file.close();
  }
}
