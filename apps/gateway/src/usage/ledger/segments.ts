import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** A row that takes more is not kept: what is longer is no row of ours when it is read again. */
export const lineBytesMax = 32 * 1024;

/** A file of the spool that holds rows, one a line. */
export interface Segment {
  readonly folder: string;
  readonly path: string;
  bytes: number;
  /** How many rows it holds, as far as is known before it is read. */
  rows: number;
  /** When the first row in it came, or about when: milliseconds since 1970. */
  since: number;
}

const namePattern = /^(\d{10})\.rows$/;

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(10, "0")}.rows`);
}

/** The number of a segment by its file name; undefined for a file that is none. */
function segmentNumber(name: string): number | undefined {
  const digits = namePattern.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What earlier processes have left in a folder, oldest first, and the number that no segment there has had. */
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

/** One that cannot be read counts as empty; whoever ships it will say why. */
async function countLines(path: string): Promise<number> {
  let count = 0;
  try {
    for await (const lines of readLines(path, lineBytesMax)) count += lines.length;
  } catch {
    return count;
  }
  return count;
}

/** Lines for the same segment, one after the other. */
export interface Lines {
  readonly text: string;
  readonly bytes: number;
  readonly rows: number;
  /** When the first row came: milliseconds since 1970. */
  readonly at: number;
}

/**
 * Appends lines to a segment of its own. It works at once and not in the background: what it has returned from is in
 * the hands of the operating system, and survives the death of the process.
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

  /** The segment that is being written, if any. */
  get segment(): Segment | undefined {
    return this.#open?.segment;
  }

  /** Throws where they could not be written whole. Nothing of them is then left. */
  append({ text, bytes, rows, at }: Lines): void {
    this.#open ??= this.#begin(at);
    const { file, segment } = this.#open;
    const wanted = this.#isTorn ? bytes + 1 : bytes;
    const written = writeSync(file, this.#isTorn ? `\n${text}` : text);
    if (written !== wanted) {
      this.#takeBack(file, segment, written);
      // A full disk takes what has room, and says so only the next time.
      throw new Error(`Only ${written} of ${wanted} bytes were written.`);
    }
    this.#isTorn = false;
    segment.bytes += wanted;
    segment.rows += rows;
  }

  /** Ends the segment, so that it can be read; the next line begins another one. */
  seal(): Segment | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    this.#open = undefined;
    this.#isTorn = false;
    try {
      closeSync(open.file);
    } catch {
      // Closing does not write: what a line was told to be, it is.
    }
    return open.segment;
  }

  #begin(at: number): { file: number; segment: Segment } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const path = segmentPath(this.#folder, this.#nextNumber);
    this.#nextNumber += 1;
    // Nobody else writes here. If somebody does all the same, `x` keeps us out of their file.
    const file = openSync(path, "ax", 0o600);
    return { file, segment: { folder: this.#folder, path, bytes: 0, rows: 0, since: at } };
  }

  /** The next line must not be glued to the beginning of one that was cut off. */
  #takeBack(file: number, segment: Segment, written: number): void {
    this.#isTorn = true;
    try {
      ftruncateSync(file, segment.bytes);
      this.#isTorn = false;
    } catch {
      // The next line then begins with a line break, and what was cut off is skipped by whoever reads it.
      segment.bytes += written;
    }
  }
}

const chunkBytes = 64 * 1024;
const newline = 10;

/**
 * The lines of a file, many at a time, whatever its size. What is longer than a line may be comes out as undefined: a
 * disk that lost power can leave megabytes without an end. The last line may lack its end.
 */
export async function* readLines(path: string, lineBytesMax: number): AsyncGenerator<(string | undefined)[]> {
  const file = await open(path);
  try {
    let rest: Buffer = Buffer.alloc(0);
    let isTooLong = false;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
      const chunk = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const lines: (string | undefined)[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        lines.push(isTooLong ? undefined : chunk.toString("utf8", start, end));
        isTooLong = false;
        start = end + 1;
      }
      rest = chunk.subarray(start);
      if (rest.length > lineBytesMax) {
        isTooLong = true;
        rest = Buffer.alloc(0);
      }
      if (bytesRead === 0 && (isTooLong || rest.length > 0))
        lines.push(isTooLong ? undefined : rest.toString("utf8"));
      if (lines.length > 0) yield lines;
      if (bytesRead === 0) return;
    }
  } finally {
    await file.close();
  }
}
