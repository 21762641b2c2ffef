import { appendFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@model-gateway/domain/failure-code";
import type { Logger } from "pino";
import { HeldLines } from "./held-lines.js";
import { writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";
import { lineBytesMax, type Segment, type SegmentLines, SegmentWriter } from "./segments.js";
import { type SpooledRow, SpoolReader } from "./spool-reader.js";

interface SpoolOptions {
  readonly folder: string;
  /** Left by earlier processes, oldest first. */
  readonly segments: readonly Segment[];
  readonly nextNumber: number;
  /** The size of the rejected-rows file. */
  readonly rejectedBytes: number;
  /** The maximum of all segments together. */
  readonly bytesMax: number;
  /** A segment of this size is sealed, and another one is started. */
  readonly segmentBytesMax: number;
  /** The maximum of lines in memory while the disk cannot take them. */
  readonly heldBytesMax: number;
  /** Called when lines are held because the disk could not take them. */
  readonly onHeld: (failure: unknown) => void;
  readonly log: Logger;
}

/** The rows in the spool, and the rows it could not deliver. */
interface SpoolState {
  readonly rows: number;
  readonly bytes: number;
  /** Those of the rows that are in memory, because the disk could not take them. */
  readonly heldRows: number;
  /** Lines torn by a crash or damaged on the disk. */
  readonly corrupt: number;
  /** Rows that the store rejects permanently. */
  readonly rejected: number;
  /** The approximate arrival of the oldest row: milliseconds since 1970. */
  readonly since: number | null;
}

/** The file of the rows that the store rejects permanently. */
export function rejectedPath(folder: string): string {
  return join(folder, "rejected");
}

/** The share of `bytesMax` that rejected rows may fill. */
const rejectedShare = 0.1;

const noLines: SegmentLines = { text: "", bytes: 0, rows: 0, at: 0 };

/** A queue on disk of rows that wait for the store. */
export class LedgerSpool {
  readonly #options: SpoolOptions;
  readonly #writer: SegmentWriter;
  readonly #reader: SpoolReader;
  readonly #sealed: Segment[];
  readonly #held: HeldLines;
  #onArrival: (() => void) | undefined;
  #bytes: number;
  /** Why lines are held. */
  #diskFailure: unknown;
  #rejectedBytes: number;
  #corrupt = 0;
  #rejected = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#writer = new SegmentWriter(options.folder, options.nextNumber);
    this.#sealed = [...options.segments];
    this.#held = new HeldLines(options.heldBytesMax);
    this.#bytes = options.segments.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#rejectedBytes = options.rejectedBytes;
    this.#reader = new SpoolReader({
      nextSegment: () => this.#nextSegment(),
      onFinished: (segment) => this.#remove(segment),
      onCorrupt: ({ path }, lines) => {
        this.#corrupt += lines;
        options.log.warn({ path, lines }, "Skipped ledger lines that were torn or damaged.");
      },
      onUnreadable: ({ path }, failure) =>
        options.log.error({ path, err: failure }, "A ledger file cannot be read and is left in place."),
    });
  }

  /** The number of waiting rows. */
  get rows(): number {
    const sealed = this.#sealed.reduce((sum, { rows }) => sum + rows, 0);
    return this.#reader.rows + sealed + this.#held.unreadRows + (this.#writer.segment?.rows ?? 0);
  }

  get state(): SpoolState {
    const { rows } = this;
    const onDisk = this.#sealed[0] ?? this.#writer.segment;
    const since = this.#reader.since ?? onDisk?.since ?? this.#held.since ?? null;
    return {
      rows,
      bytes: this.#bytes,
      heldRows: this.#held.rows,
      corrupt: this.#corrupt,
      rejected: this.#rejected,
      since: rows === 0 ? null : since,
    };
  }

  get reader(): SpoolReader {
    return this.#reader;
  }

  /**
   * When it returns, the rows are on disk, in memory if the disk could not take them, or dropped.
   * @param onDrop Called for each row that does not fit.
   */
  append(rows: readonly LedgerRow[], onDrop: (failure: unknown) => void): void {
    const { bytesMax, segmentBytesMax } = this.#options;
    this.writeHeld();
    let lines = noLines;
    for (const row of rows) {
      const line = writeLine(row);
      const bytes = Buffer.byteLength(line);
      if (bytes > lineBytesMax) {
        onDrop(new Error(`A row of ${bytes} bytes exceeds the maximum of ${lineBytesMax}.`));
      } else if (this.#bytes + lines.bytes + bytes > bytesMax) {
        onDrop(new Error(`The spool is full: its maximum is ${bytesMax} bytes.`));
      } else {
        if ((this.#writer.segment?.bytes ?? 0) + lines.bytes + bytes > segmentBytesMax) {
          this.#write(lines, onDrop);
          lines = noLines;
          this.#seal();
        }
        lines = {
          text: lines.text + line,
          bytes: lines.bytes + bytes,
          rows: lines.rows + 1,
          at: lines.rows === 0 ? row.at : lines.at,
        };
      }
    }
    this.#write(lines, onDrop);
  }

  #write(lines: SegmentLines, onDrop: (failure: unknown) => void): void {
    if (lines.rows === 0) return;
    // Held rows are older, and were just tried.
    if (this.#held.rows > 0) return this.#hold(lines, onDrop, this.#diskFailure);
    try {
      this.#append(lines);
      this.#onArrival?.();
    } catch (failure) {
      // There may be room for some of the lines.
      if (lines.rows === 1) this.#hold(lines, onDrop, failure);
      else for (const line of splitLines(lines)) this.#write(line, onDrop);
    }
  }

  #hold(lines: SegmentLines, onDrop: (failure: unknown) => void, failure: unknown): void {
    for (const line of splitLines(lines)) {
      if (this.#held.hold(line)) this.#options.onHeld(failure);
      else onDrop(failure);
    }
    this.#onArrival?.();
  }

  /** Writes lines that are in memory to disk, as far as there is room. */
  writeHeld(): void {
    if (this.#held.rows === 0) return;
    try {
      this.#held.drain((lines) => {
        if ((this.#writer.segment?.bytes ?? 0) + lines.bytes > this.#options.segmentBytesMax) this.#seal();
        this.#append(lines);
      });
    } catch (failure) {
      // There is no room yet.
      this.#diskFailure = failure;
    }
  }

  #append(lines: SegmentLines): void {
    const before = this.#writer.segment?.bytes ?? 0;
    try {
      this.#writer.append(lines);
    } finally {
      // A torn line that could not be removed still takes space.
      this.#bytes += (this.#writer.segment?.bytes ?? 0) - before;
    }
  }

  /** Resolves when a row waits, or when the signal aborts. */
  async arrival(signal: AbortSignal): Promise<void> {
    if (this.rows > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onArrival = () => {
        this.#onArrival = undefined;
        signal.removeEventListener("abort", arrive);
        resolve();
      };
      const arrive = this.#onArrival;
      signal.addEventListener("abort", arrive, { once: true });
    });
  }

  /** Moves a row to the file of rejected rows, so that it does not block others. */
  setAside(spooled: SpooledRow): void {
    const { folder, bytesMax, log } = this.#options;
    const line = writeLine(spooled.row);
    this.#rejected += 1;
    this.#rejectedBytes += Buffer.byteLength(line);
    const path = rejectedPath(folder);
    try {
      if (this.#rejectedBytes > bytesMax * rejectedShare)
        throw new Error("The file of rejected rows is full.");
      appendFileSync(path, line, { mode: 0o600 });
      log.error(
        { id: spooled.row.id, path },
        "The store rejects a ledger row; it was moved to the file of rejected rows.",
      );
    } catch (failure) {
      log.error(
        { id: spooled.row.id, err: failure },
        "The store rejects a ledger row, and the row was lost.",
      );
    }
    this.#reader.settle([spooled]);
  }

  /** @param onDrop Called for each row that is still in memory and that the disk cannot take. */
  async close(onDrop: (failure: unknown) => void): Promise<void> {
    this.#held.drain((lines) => {
      try {
        this.#append(lines);
      } catch (failure) {
        for (let row = 0; row < lines.rows; row += 1) onDrop(failure);
      }
    });
    this.#seal();
    await this.#reader.close();
  }

  /** The open segment is sealed only when nothing else is left to read, so that segments do not become tiny. */
  #nextSegment(): Segment | undefined {
    if (this.#sealed.length === 0 && !this.#reader.hasRows) this.#seal();
    return this.#sealed.shift() ?? this.#held.take();
  }

  #seal(): void {
    const segment = this.#writer.seal();
    if (segment !== undefined) this.#sealed.push(segment);
  }

  #remove(segment: Segment): void {
    if (segment.held !== undefined) return this.#held.remove(segment);
    const { path, folder, bytes } = segment;
    try {
      rmSync(path, { force: true });
      this.#bytes -= bytes;
      if (folder !== this.#options.folder) rmdirSync(folder);
    } catch (failure) {
      // The folder of a worker that has ended is removed with its last file.
      if (codeOf(failure) === "ENOTEMPTY") return;
      this.#options.log.warn({ path, err: failure }, "A ledger file could not be removed.");
    }
  }
}

function splitLines({ text, at }: SegmentLines): SegmentLines[] {
  return text.split(/(?<=\n)/).map((line) => ({ text: line, bytes: Buffer.byteLength(line), rows: 1, at }));
}
