import type { Segment, SegmentLines } from "./segments.js";

/** Small, so that a disk with little room takes some of them. */
const segmentBytesMax = 64 * 1024;

/** Lines in memory that can be read like a file. */
interface HeldSegment extends Segment {
  held: string;
  isBeingRead: boolean;
}

/** Lines that the disk could not take, in memory up to a limit. They are shipped, or written when there is room. */
export class HeldLines {
  readonly #bytesMax: number;
  readonly #segments = new Set<HeldSegment>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Rows that no reader has. */
  get unreadRows(): number {
    return this.#sum((segment) => (segment.isBeingRead ? 0 : segment.rows));
  }

  /** All rows, including those that are being shipped. */
  get rows(): number {
    return this.#sum(({ rows }) => rows);
  }

  /** The arrival of the oldest row that no reader has. */
  get since(): number | undefined {
    return this.#unread()?.since;
  }

  /** Returns false if there is no room for the lines. */
  hold({ text, bytes, rows, at }: SegmentLines): boolean {
    if (this.#bytes + bytes > this.#bytesMax) return false;
    const last = [...this.#segments].at(-1);
    this.#bytes += bytes;
    if (last !== undefined && !last.isBeingRead && last.bytes + bytes <= segmentBytesMax) {
      last.held += text;
      last.bytes += bytes;
      last.rows += rows;
    } else {
      const where = { folder: "", path: "" };
      this.#segments.add({ ...where, held: text, bytes, rows, since: at, isBeingRead: false });
    }
    return true;
  }

  /** The oldest segment, for a reader. It stays in memory until it is removed. */
  take(): Segment | undefined {
    const segment = this.#unread();
    if (segment !== undefined) segment.isBeingRead = true;
    return segment;
  }

  remove(segment: Segment): void {
    if (this.#segments.delete(segment as HeldSegment)) this.#bytes -= segment.bytes;
  }

  /**
   * Passes on all lines, oldest first, until one call throws. Lines that are being shipped are among them, because they
   * may not arrive. If they do, the store skips those that it has already.
   */
  drain(write: (lines: SegmentLines) => void): void {
    for (const segment of this.#segments) {
      const { held: text, bytes, rows, since: at } = segment;
      write({ text, bytes, rows, at });
      this.remove(segment);
    }
  }

  #unread(): HeldSegment | undefined {
    for (const segment of this.#segments) if (!segment.isBeingRead) return segment;
    return undefined;
  }

  #sum(count: (segment: HeldSegment) => number): number {
    let sum = 0;
    for (const segment of this.#segments) sum += count(segment);
    return sum;
  }
}
