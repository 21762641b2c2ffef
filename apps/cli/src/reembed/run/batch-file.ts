import { CommandError } from "../../remote/command-error.js";
import { AppendFile } from "../jsonl/append-file.js";
import { type JsonlLine, readLines } from "../jsonl/read-lines.js";
import { batchLine, type ReembedRequest } from "../request.js";
import type { Place, Row, RowId } from "../rows.js";

/** The bounds of one file. */
export interface FileLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** OpenAI's: 50,000 lines with as many inputs, and 200 MB. https://platform.openai.com/docs/guides/batch */
const linesMax = 50_000;
const inputBytesMax = 190_000_000;
/** Its output is base64, and should not be larger than its input may be. */
const outputBytesMax = 190_000_000;
const outputLineBytes = 400;

export function limitsFor(dimensions: number): FileLimits {
  const vectorBytes = Math.ceil((dimensions * 4) / 3) * 4;
  const lines = Math.floor(outputBytesMax / (vectorBytes + outputLineBytes));
  return { lines: Math.max(1, Math.min(linesMax, lines)), bytes: inputBytesMax };
}

/** The rows of a source, one at a time. A row that does not fit into a file waits for the next one. */
export class RowReader {
  readonly #rows: AsyncGenerator<Row, void, undefined>;
  #waiting: Row | undefined;

  constructor(rows: AsyncGenerator<Row, void, undefined>) {
    this.#rows = rows;
  }

  /** Undefined at the end. */
  async next(): Promise<Row | undefined> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) return waiting;
    const read = await this.#rows.next();
    return read.done === true ? undefined : read.value;
  }

  putBack(row: Row): void {
    this.#waiting = row;
  }

  async close(): Promise<void> {
    await this.#rows.return();
  }
}

/** A file with lines for a batch. */
interface BatchFile {
  readonly lines: number;
  /** Rows without a text. */
  readonly skipped: number;
  /** The place of the source after the file. Undefined if no row was read. */
  readonly place: Place | undefined;
  /** Whether the source has no more rows. */
  readonly isLast: boolean;
}

/** Lines are written together. */
const writtenAtOnce = 200;

/** Fills a file up to its limits. A text that alone exceeds them gets its own file, which the gateway judges. */
export async function writeBatchFile(
  path: string,
  rows: RowReader,
  { request, limits }: { readonly request: ReembedRequest; readonly limits: FileLimits },
): Promise<BatchFile> {
  const file = new AppendFile(path, 0);
  const counts = { lines: 0, skipped: 0, bytes: 0 };
  let place: Place | undefined;
  let buffered: string[] = [];
  const ids = new Set<RowId>();
  try {
    await file.open();
    for (;;) {
      const row = await rows.next();
      if (row === undefined) {
        await file.append(buffered);
        return { lines: counts.lines, skipped: counts.skipped, place, isLast: true };
      }
      const { id, text } = row;
      const line = text === null || text.trim() === "" ? undefined : batchLine(request, id, text);
      const bytes = line === undefined ? 0 : Buffer.byteLength(line) + 1;
      const isFull = counts.lines >= limits.lines || counts.bytes + bytes > limits.bytes;
      if (line !== undefined && counts.lines > 0 && isFull) {
        rows.putBack(row);
        await file.append(buffered);
        return { lines: counts.lines, skipped: counts.skipped, place, isLast: false };
      }
      if (line !== undefined && ids.has(id)) throw repeated(id);
      place = row.next;
      counts.bytes += bytes;
      if (line === undefined) counts.skipped += 1;
      else {
        counts.lines += 1;
        ids.add(id);
        buffered.push(line);
      }
      if (buffered.length < writtenAtOnce) continue;
      await file.append(buffered);
      buffered = [];
    }
  } finally {
    await file.close();
  }
}

/** Writes some lines of a file to another one. Returns how many. */
export async function copyLines(
  from: string,
  to: string,
  wants: (line: JsonlLine) => boolean,
): Promise<number> {
  const file = new AppendFile(to, 0);
  let lines = 0;
  try {
    for await (const line of readLines(from)) {
      if (!wants(line)) continue;
      await file.append([line.text]);
      lines += 1;
    }
    return lines;
  } finally {
    await file.close();
  }
}

/** The gateway would refuse the whole file, and name a line that the reader has not written. */
function repeated(id: RowId): CommandError {
  return new CommandError(`Two rows have the id ${JSON.stringify(id)}. Each row needs its own id.`);
}
