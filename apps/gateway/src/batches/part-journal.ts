import { crc32 } from "node:zlib";
import type { Clock } from "@model-gateway/runtime/clock";
import { nextBulkTurn } from "@model-gateway/runtime/time-slice";
import type { Logger } from "pino";
import type { DetachedResponse } from "../execution/detached-request.js";
import { type FileStore, MissingFileError } from "../files/file-store.js";
import type { BatchPart } from "./batch.js";
import { onOneLine } from "./line-results.js";
import { readLines } from "./read-lines.js";
import { isStoreDown, partFileId } from "./store-results.js";

export interface PartJournalOptions {
  readonly files: Pick<FileStore, "create" | "read" | "delete">;
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn">;
}

/** A line that has ended, and its response. */
interface JournalEntry {
  readonly line: number;
  readonly response: DetachedResponse;
}

/** Lines of one upstream call end within this time. In a bucket, each file is a request. */
const gatherMs = 100;
/** Until the next attempt, while the disk is full or the bucket is down. */
const retryMs = 5000;
/** Entries that are written in one turn. */
const entriesPerTurn = 64;
/** A longer entry is taken for damaged. */
const entryBytesMax = 256 * 1024 * 1024;

/**
 * The responses of a running part, so that a crash repeats only the lines that have not ended. They are in numbered files
 * beside the part's results, each with the lines that ended together. A part that ends at once writes none. The journal is
 * an aid: where it cannot be stored or read, lines run again.
 */
export class PartJournal {
  readonly #part: BatchPart;
  readonly #options: PartJournalOptions;
  readonly #closing = new AbortController();
  /** Entries that no file has. */
  #waiting: JournalEntry[] = [];
  #fileCount = 0;
  /** Stays true once nothing more is to be written. */
  #isWriting = false;
  #writing: Promise<void> | undefined;

  constructor(part: BatchPart, options: PartJournalOptions) {
    this.#part = part;
    this.#options = options;
  }

  /** The responses that earlier runs have left, by line. Rejects if the store is down. */
  async read(): Promise<ReadonlyMap<number, DetachedResponse>> {
    const found = new Map<number, DetachedResponse>();
    // A first run has nothing to find, and in a bucket each look is a request.
    if (this.#part.attempts <= 1) return found;
    while (await this.#readFile(this.#fileId(this.#fileCount), found)) this.#fileCount += 1;
    return found;
  }

  /** Returns at once: the entry is stored soon. */
  add(entry: JournalEntry): void {
    this.#waiting.push(entry);
    if (!this.#isWriting) this.#writing = this.#writeWaiting();
  }

  /** All lines have ended, so that their results are stored. A write in flight ends first. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  /** The results are stored. A sweep removes files that a crash leaves behind. */
  async delete(): Promise<void> {
    const { files } = this.#options;
    const count = this.#fileCount;
    for (let number = 0; number < count; number += 1)
      await files.delete(this.#fileId(number)).catch(() => undefined);
  }

  /**
   * Begins again once results of the part are stored, so that a file which stayed is never read. A process that was taken
   * for dead may replace a file of its successor: then those lines may run again, after another crash.
   */
  #fileId(number: number): string {
    const { batchId, number: part, segments } = this.#part;
    return partFileId(batchId, `${part}-${segments.length}-journal-${number}`);
  }

  async #writeWaiting(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closing;
    this.#isWriting = true;
    let pauseMs = gatherMs;
    while (this.#waiting.length > 0) {
      await clock.wait(pauseMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const entries = this.#waiting;
      this.#waiting = [];
      try {
        await this.#writeFile(this.#fileId(this.#fileCount), entries);
        this.#fileCount += 1;
        pauseMs = gatherMs;
      } catch (failure) {
        if (!isStoreDown(failure)) {
          log.warn({ err: failure }, "Results of a running batch cannot be kept: a crash repeats its lines.");
          return;
        }
        this.#waiting = [...entries, ...this.#waiting];
        pauseMs = retryMs;
      }
    }
    this.#isWriting = false;
  }

  async #writeFile(id: string, entries: readonly JournalEntry[]): Promise<void> {
    const writer = await this.#options.files.create(id, { survives: "crash" });
    try {
      for (const [at, entry] of entries.entries()) {
        if (at % entriesPerTurn === 0) await nextBulkTurn();
        for (const chunk of writeEntry(entry)) await writer.write(chunk);
      }
      await writer.commit();
    } finally {
      await writer.abort();
    }
  }

  /** Whether there is such a file. */
  async #readFile(id: string, found: Map<number, DetachedResponse>): Promise<boolean> {
    const { files, log } = this.#options;
    let damaged = 0;
    try {
      for await (const { text } of readLines(await files.read(id), { lineBytesMax: entryBytesMax })) {
        const entry = text && readEntry(text);
        if (entry === undefined) damaged += 1;
        else found.set(entry.line, entry.response);
      }
    } catch (failure) {
      if (failure instanceof MissingFileError) return false;
      if (isStoreDown(failure)) throw failure;
      log.warn({ file: id, err: failure }, "Results of a batch cannot be read. Their lines run again.");
      return false;
    }
    if (damaged > 0)
      log.warn({ file: id, lines: damaged }, "Results of a batch are damaged. Their lines run again.");
    return true;
  }
}

const checksumDigits = 8;
const lineBreak = Buffer.from("\n");

/** An entry is a line: a checksum of the rest, the number of the line in the input, the status, and the body. */
function writeEntry({ line, response: { status, body } }: JournalEntry): readonly Buffer[] {
  const head = `${line} ${status} `;
  const content = onOneLine(body);
  const checksum = crc32(content, crc32(head)).toString(16).padStart(checksumDigits, "0");
  return [Buffer.from(`${checksum} ${head}`), content, lineBreak];
}

const headPattern = /^([0-9a-f]{8}) (\d{1,15}) (\d{3}) /;
const headBytesMax = 32;

/** Undefined if the entry is torn or damaged. */
function readEntry(text: Buffer): JournalEntry | undefined {
  const [head, checksum, line, status] = headPattern.exec(text.toString("latin1", 0, headBytesMax)) ?? [];
  if (head === undefined || checksum === undefined) return undefined;
  if (crc32(text.subarray(checksumDigits + 1)) !== Number.parseInt(checksum, 16)) return undefined;
  const body = text.subarray(head.length);
  return { line: Number(line), response: { status: Number(status), headers: {}, body } };
}
