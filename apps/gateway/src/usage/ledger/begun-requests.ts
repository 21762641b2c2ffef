import { rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readLine, writeLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";
import { findSegments, lineBytesMax, readLines, type Segment, SegmentWriter } from "./segments.js";

interface BegunRequestsOptions {
  /** The folder of the spool. Used by this process only. */
  readonly folder: string;
  /** Those of processes that have ended. */
  readonly orphans: readonly string[];
  /** Called when the disk takes no line. A crash then forgets the request. */
  readonly onFailure: (failure: unknown) => void;
}

/** A file is not replaced by a shorter one before it has this size. */
const fileBytesMin = 256 * 1024;
/** By how much it may grow until then. */
const growth = 4;

/**
 * Requests whose calls may be billed, from before their first call until they have a row. They are on disk, each as the
 * row that it gets if the process dies: a line for its begin, and one with its id for its end. An end may be lost, since
 * the store skips a second row of a request.
 */
export class BegunRequests {
  readonly #options: BegunRequestsOptions;
  readonly #writer: SegmentWriter;
  /** The lines of requests that have begun and not ended. */
  readonly #lines = new Map<string, string>();
  /** Those of earlier processes, until the store has their rows. */
  readonly #abandoned: Map<string, LedgerRow>;
  /** Files that the next one replaces. */
  readonly #replaced: Segment[];
  #rewriteAt = fileBytesMin;
  /** Whether lines are missing on the disk, or in the file of this process. */
  #isBehind: boolean;

  private constructor(options: BegunRequestsOptions, left: LeftBehind) {
    this.#options = options;
    this.#writer = new SegmentWriter(begunFolder(options.folder), left.nextNumber);
    this.#abandoned = left.rows;
    this.#replaced = left.segments;
    this.#isBehind = left.segments.length > 0;
    for (const [id, row] of left.rows) this.#lines.set(id, writeLine(row));
  }

  static async open(options: BegunRequestsOptions): Promise<BegunRequests> {
    const { folder, orphans } = options;
    const left: LeftBehind = { rows: new Map(), segments: [], nextNumber: 1 };
    for (const one of [...orphans, folder]) left.nextNumber = await readFolder(begunFolder(one), left);
    return new BegunRequests(options, left);
  }

  /** Requests that an earlier process did not end, and whose rows the store may not have. */
  get abandoned(): readonly LedgerRow[] {
    return [...this.#abandoned.values()];
  }

  /** Those of them that have neither a row yet, nor a new run that has ended. */
  get unended(): readonly LedgerRow[] {
    return this.abandoned.filter(({ id }) => this.#lines.has(id));
  }

  /** @param row The one that the request gets if this process dies. A later one replaces it. */
  begin(row: LedgerRow): void {
    const line = writeLine(row);
    if (Buffer.byteLength(line) > lineBytesMax) return;
    this.#lines.set(row.id, line);
    this.#write(line);
  }

  /** The request has its row. */
  end(id: string): void {
    if (this.#lines.delete(id)) this.#write(`${id}\n`);
  }

  /** The request has ended, and needs no row. One that an earlier process began does: that run may be billed. */
  forget(id: string): void {
    if (!this.#abandoned.has(id)) this.end(id);
  }

  /** The store has the rows. */
  noteStored(rows: readonly Pick<LedgerRow, "id">[]): void {
    if (this.#abandoned.size > 0) for (const { id } of rows) this.#abandoned.delete(id);
  }

  close(): void {
    if (this.#lines.size === 0) this.#attempt(() => this.#rewrite());
    this.#writer.seal();
  }

  #write(line: string): void {
    const bytes = this.#writer.segment?.bytes ?? 0;
    this.#attempt(() => {
      if (this.#isBehind || bytes > this.#rewriteAt) this.#rewrite();
      else this.#append(line);
    });
  }

  #attempt(write: () => void): void {
    try {
      write();
    } catch (failure) {
      this.#isBehind = true;
      this.#options.onFailure(failure);
    }
  }

  /** Begins a file with the lines that still matter. The others go when they are there. */
  #rewrite(): void {
    const sealed = this.#writer.seal();
    if (sealed !== undefined) this.#replaced.push(sealed);
    if (this.#lines.size > 0) this.#append([...this.#lines.values()].join(""));
    this.#isBehind = false;
    this.#rewriteAt = Math.max(fileBytesMin, growth * (this.#writer.segment?.bytes ?? 0));
    for (const { path, folder } of this.#replaced.splice(0)) {
      rmSync(path, { force: true });
      removeEmpty(folder);
    }
  }

  #append(text: string): void {
    this.#writer.append({ text, bytes: Buffer.byteLength(text), rows: 1, at: 0 });
  }
}

interface LeftBehind {
  readonly rows: Map<string, LedgerRow>;
  readonly segments: Segment[];
  nextNumber: number;
}

const folderName = "begun";

function begunFolder(folder: string): string {
  return join(folder, folderName);
}

/** Adds what the files of a folder have. Returns the number of the next file. */
async function readFolder(folder: string, { rows, segments }: LeftBehind): Promise<number> {
  const found = await findSegments(folder).catch(() => ({ segments: [], nextNumber: 1 }));
  for (const segment of found.segments) {
    segments.push(segment);
    try {
      for await (const lines of readLines(segment.path, lineBytesMax))
        for (const line of lines) apply(line, rows);
    } catch {
      // A file that cannot be read has no more lines.
    }
  }
  return found.nextNumber;
}

/** A line that is torn is neither a row nor an id. */
function apply(line: string | undefined, rows: Map<string, LedgerRow>): void {
  const row = line === undefined ? undefined : readLine(line);
  if (row !== undefined) rows.set(row.id, row);
  else if (line !== undefined) rows.delete(line);
}

/** A folder goes with its last file, so that those of ended processes do not stay. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has files still.
  }
}
