import { readLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";
import { lineBytesMax, readLines, type Segment } from "./segments.js";

/** A row on its way from the spool to the store. */
export interface SpooledRow {
  readonly row: LedgerRow;
  readonly file: FileBeingRead;
  /** Whether it needs no more care: it is in the store, or set aside. */
  isSettled: boolean;
}

interface FileBeingRead {
  readonly segment: Segment;
  readonly lines: AsyncGenerator<(string | undefined)[]>;
  linesRead: number;
  corrupt: number;
  /** Rows that were read and still need care. */
  unsettled: number;
  state: "open" | "read" | "unreadable";
}

export interface SpoolReaderNeeds {
  /** The next segment to read; undefined where there is none. */
  readonly nextSegment: () => Segment | undefined;
  /** Everything in the segment has been taken care of. */
  readonly onFinished: (segment: Segment) => void;
  readonly onCorrupt: (segment: Segment, lines: number) => void;
  readonly onUnreadable: (segment: Segment, failure: unknown) => void;
}

/** Reads segments one after the other, and knows which of their rows still need care. */
export class SpoolReader {
  readonly #needs: SpoolReaderNeeds;
  #file: FileBeingRead | undefined;
  #waiting: SpooledRow[] = [];
  #postponed: SpooledRow[] = [];
  #unsettled = 0;

  constructor(needs: SpoolReaderNeeds) {
    this.#needs = needs;
  }

  /** How many rows need care, of those that were read and those in the file that is being read. */
  get rows(): number {
    const unread = this.#file === undefined ? 0 : this.#file.segment.rows - this.#file.linesRead;
    return this.#unsettled + Math.max(0, unread);
  }

  /** When the oldest of them came. */
  get since(): number | undefined {
    const oldest = this.postponed[0] ?? this.#waiting.find(({ isSettled }) => !isSettled);
    return oldest?.row.at ?? this.#file?.segment.since;
  }

  /** The rows that others were let pass. */
  get postponed(): readonly SpooledRow[] {
    this.#postponed = this.#postponed.filter(({ isSettled }) => !isSettled);
    return this.#postponed;
  }

  /** Whether a further segment is wanted only to fill up a batch. */
  get hasRows(): boolean {
    return this.#waiting.length > 0;
  }

  /** The oldest rows, at most so many. They stay first in line until they are settled or postponed. */
  async peek(max: number): Promise<readonly SpooledRow[]> {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    while (this.#waiting.length < max && (await this.#readMore()));
    return this.#waiting.slice(0, max);
  }

  /** The row is not offered again, but its segment stays until it is settled. */
  postpone(spooled: SpooledRow): void {
    this.#waiting = this.#waiting.filter((other) => other !== spooled);
    this.#postponed.push(spooled);
  }

  settle(rows: readonly SpooledRow[]): void {
    for (const spooled of rows) {
      if (spooled.isSettled) continue;
      spooled.isSettled = true;
      spooled.file.unsettled -= 1;
      this.#unsettled -= 1;
      this.#finish(spooled.file);
    }
  }

  async close(): Promise<void> {
    await this.#file?.lines.return(undefined);
  }

  /** Whether there was anything more to read. */
  async #readMore(): Promise<boolean> {
    this.#file ??= this.#open();
    const file = this.#file;
    if (file === undefined) return false;
    try {
      const { value, done } = await file.lines.next();
      if (done !== true) {
        this.#take(file, value);
        return true;
      }
      file.state = "read";
      if (file.corrupt > 0) this.#needs.onCorrupt(file.segment, file.corrupt);
    } catch (failure) {
      file.state = "unreadable";
      this.#needs.onUnreadable(file.segment, failure);
    }
    this.#file = undefined;
    this.#finish(file);
    return true;
  }

  #open(): FileBeingRead | undefined {
    const segment = this.#needs.nextSegment();
    if (segment === undefined) return undefined;
    const lines = readLines(segment.path, lineBytesMax);
    return { segment, lines, linesRead: 0, corrupt: 0, unsettled: 0, state: "open" };
  }

  #take(file: FileBeingRead, lines: readonly (string | undefined)[]): void {
    for (const line of lines) {
      file.linesRead += 1;
      const row = line === undefined ? undefined : readLine(line);
      if (row === undefined) {
        file.corrupt += 1;
        continue;
      }
      file.unsettled += 1;
      this.#unsettled += 1;
      this.#waiting.push({ row, file, isSettled: false });
    }
  }

  #finish({ state, unsettled, segment }: FileBeingRead): void {
    if (state === "read" && unsettled === 0) this.#needs.onFinished(segment);
  }
}
