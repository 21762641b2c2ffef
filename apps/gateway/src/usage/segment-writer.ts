import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from "node:fs";
import { type Segment, segmentPath } from "./segment.js";

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
