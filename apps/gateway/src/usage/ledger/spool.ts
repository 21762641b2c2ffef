import { appendFileSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";
import { type Lines, lineBytesMax, type Segment, SegmentWriter } from "./segments.js";
import { type SpooledRow, SpoolReader } from "./spool-reader.js";

export interface SpoolOptions {
  readonly folder: string;
  /** What earlier processes have left, oldest first. */
  readonly segments: readonly Segment[];
  readonly nextNumber: number;
  /** What was set aside before. */
  readonly rejectedBytes: number;
  /** All segments together never take more. */
  readonly bytesMax: number;
  /** How large a segment grows before another one is begun. */
  readonly segmentBytesMax: number;
  readonly log: Logger;
}

/** What the spool holds, and what it could not keep. */
export interface SpoolState {
  readonly rows: number;
  readonly bytes: number;
  /** Lines that were torn by a crash or damaged on the disk. */
  readonly corrupt: number;
  /** Rows that the store did not take whatever was tried. */
  readonly rejected: number;
  /** When the oldest row came, or about when: milliseconds since 1970. */
  readonly since: number | null;
}

/** Where rows lie that the store does not take whatever is tried. */
export function rejectedPath(folder: string): string {
  return join(folder, "rejected");
}

/** They may fill this part of the room. */
const rejectedShare = 0.1;

const noLines: Lines = { text: "", bytes: 0, rows: 0, at: 0 };

/** Rows on the disk that wait for the store, in order. */
export class LedgerSpool {
  readonly #options: SpoolOptions;
  readonly #writer: SegmentWriter;
  readonly #reader: SpoolReader;
  readonly #sealed: Segment[];
  #onArrival: (() => void) | undefined;
  #bytes: number;
  #rejectedBytes: number;
  #corrupt = 0;
  #rejected = 0;

  constructor(options: SpoolOptions) {
    this.#options = options;
    this.#writer = new SegmentWriter(options.folder, options.nextNumber);
    this.#sealed = [...options.segments];
    this.#bytes = options.segments.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#rejectedBytes = options.rejectedBytes;
    this.#reader = new SpoolReader({
      nextSegment: () => this.#nextSegment(),
      onFinished: (segment) => this.#remove(segment),
      onCorrupt: ({ path }, lines) => {
        this.#corrupt += lines;
        options.log.warn({ path, lines }, "Lines of the ledger were torn or damaged, and are skipped.");
      },
      onUnreadable: ({ path }, failure) =>
        options.log.error(
          { path, err: failure },
          "A file of the ledger cannot be read, and stays where it is.",
        ),
    });
  }

  /** How many rows wait. */
  get rows(): number {
    const sealed = this.#sealed.reduce((sum, { rows }) => sum + rows, 0);
    return this.#reader.rows + sealed + (this.#writer.segment?.rows ?? 0);
  }

  get state(): SpoolState {
    const { rows } = this;
    const since = this.#reader.since ?? (this.#sealed[0] ?? this.#writer.segment)?.since ?? null;
    return {
      rows,
      bytes: this.#bytes,
      corrupt: this.#corrupt,
      rejected: this.#rejected,
      since: rows === 0 ? null : since,
    };
  }

  get reader(): SpoolReader {
    return this.#reader;
  }

  /**
   * The rows are safe when this returns.
   * @param onDrop Told of each for which there is no room, or that the disk does not take.
   */
  append(rows: readonly LedgerRow[], onDrop: (failure: unknown) => void): void {
    const { bytesMax, segmentBytesMax } = this.#options;
    let lines = noLines;
    for (const row of rows) {
      const line = writeLine(row);
      const bytes = Buffer.byteLength(line);
      if (bytes > lineBytesMax) {
        onDrop(new Error(`A row of ${bytes} bytes is more than a line may have.`));
      } else if (this.#bytes + lines.bytes + bytes > bytesMax) {
        onDrop(new Error(`The spool is full: it has ${bytesMax} bytes.`));
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

  #write(lines: Lines, onDrop: (failure: unknown) => void): void {
    if (lines.rows === 0) return;
    const before = this.#writer.segment?.bytes ?? 0;
    try {
      this.#writer.append(lines);
      this.#bytes += (this.#writer.segment?.bytes ?? 0) - before;
      this.#onArrival?.();
    } catch (failure) {
      // Nothing of it is there, unless it could not be taken back.
      this.#bytes += (this.#writer.segment?.bytes ?? 0) - before;
      // There may be room for some of them.
      if (lines.rows === 1) onDrop(failure);
      else for (const line of eachOf(lines)) this.#write(line, onDrop);
    }
  }

  /** Resolves when there is a row. */
  async arrival(signal: AbortSignal): Promise<void> {
    if (this.rows > 0 || signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#onArrival = () => {
        this.#onArrival = undefined;
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const leave = this.#onArrival;
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  /** Moves a row to a file that nobody reads on his own, where it stands in no other's way. */
  setAside(spooled: SpooledRow): void {
    const { folder, bytesMax, log } = this.#options;
    const line = writeLine(spooled.row);
    this.#rejected += 1;
    this.#rejectedBytes += Buffer.byteLength(line);
    const path = rejectedPath(folder);
    try {
      if (this.#rejectedBytes > bytesMax * rejectedShare) throw new Error("Too many were set aside.");
      appendFileSync(path, line, { mode: 0o600 });
      log.error({ id: spooled.row.id, path }, "The store rejects a row of the ledger; it was set aside.");
    } catch (failure) {
      log.error(
        { id: spooled.row.id, err: failure },
        "The store rejects a row of the ledger, and it was lost.",
      );
    }
    this.#reader.settle([spooled]);
  }

  async close(): Promise<void> {
    this.#seal();
    await this.#reader.close();
  }

  /** What is being written is read only when nothing else is left, so that it is not cut up for nothing. */
  #nextSegment(): Segment | undefined {
    if (this.#sealed.length === 0 && !this.#reader.hasRows) this.#seal();
    return this.#sealed.shift();
  }

  #seal(): void {
    const segment = this.#writer.seal();
    if (segment !== undefined) this.#sealed.push(segment);
  }

  #remove({ path, folder, bytes }: Segment): void {
    try {
      rmSync(path, { force: true });
      this.#bytes -= bytes;
      if (folder !== this.#options.folder) rmdirSync(folder);
    } catch (failure) {
      // The folder of a worker that is no more goes with its last file.
      if (failure instanceof Error && "code" in failure && failure.code === "ENOTEMPTY") return;
      this.#options.log.warn({ path, err: failure }, "A file of the ledger could not be removed.");
    }
  }
}

function eachOf({ text, at }: Lines): Lines[] {
  return text.split(/(?<=\n)/).map((line) => ({ text: line, bytes: Buffer.byteLength(line), rows: 1, at }));
}
