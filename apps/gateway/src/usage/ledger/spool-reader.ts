import { readLine } from "./ledger-line.js";
import type { LedgerRow } from "./ledger-store.js";
import { linesOf, type Segment } from "./segments.js";

/** A row that was read from the spool. */
export interface SpooledRow {
  readonly row: LedgerRow;
  readonly file: FileBeingRead;
  /** Whether it is in the store, or set aside. */
  isSettled: boolean;
}

interface FileBeingRead {
  readonly segment: Segment;
  readonly lines: AsyncGenerator<(string | undefined)[]>;
  linesRead: number;
  corrupt: number;
  /** Rows that were read and are not settled. */
  unsettled: number;
  state: "open" | "read" | "unreadable";
}

interface SpoolReaderOptions {
  /** The next segment to read, if any. */
  readonly nextSegment: () => Segment | undefined;
  /** Called when all rows of the segment are settled. */
  readonly onFinished: (segment: Segment) => void;
  readonly onCorrupt: (segment: Segment, lines: number) => void;
  readonly onUnreadable: (segment: Segment, failure: unknown) => void;
}

/** Reads segments in order, and tracks which of their rows are settled. */
export class SpoolReader {
  readonly #options: SpoolReaderOptions;
  #file: FileBeingRead | undefined;
  #waiting: SpooledRow[] = [];
  #postponed: SpooledRow[] = [];
  #unsettled = 0;

  constructor(options: SpoolReaderOptions) {
    this.#options = options;
  }

  /** Unsettled rows, including the unread ones of the current file. */
  get rows(): number {
    const unread = this.#file === undefined ? 0 : this.#file.segment.rows - this.#file.linesRead;
    return this.#unsettled + Math.max(0, unread);
  }

  /** The arrival of the oldest unsettled row. */
  get since(): number | undefined {
    const oldest = this.postponed[0] ?? this.#waiting.find(({ isSettled }) => !isSettled);
    return oldest?.row.at ?? this.#file?.segment.since;
  }

  /** Unsettled rows that were passed over. */
  get postponed(): readonly SpooledRow[] {
    this.#postponed = this.#postponed.filter(({ isSettled }) => !isSettled);
    return this.#postponed;
  }

  /** Whether rows wait in memory, so that another segment would only fill up a batch. */
  get hasRows(): boolean {
    return this.#waiting.length > 0;
  }

  /** The oldest rows, at most `max`. They stay first until they are settled or postponed. */
  async peek(max: number): Promise<readonly SpooledRow[]> {
    this.#waiting = this.#waiting.filter(({ isSettled }) => !isSettled);
    while (this.#waiting.length < max && (await this.#readMore()));
    return this.#waiting.slice(0, max);
  }

  /** `peek` no longer returns the row. Its segment stays until the row is settled. */
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

  /** Returns false if there is nothing more to read. */
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
      if (file.corrupt > 0) this.#options.onCorrupt(file.segment, file.corrupt);
    } catch (failure) {
      file.state = "unreadable";
      this.#options.onUnreadable(file.segment, failure);
    }
    this.#file = undefined;
    this.#finish(file);
    return true;
  }

  #open(): FileBeingRead | undefined {
    const segment = this.#options.nextSegment();
    if (segment === undefined) return undefined;
    return { segment, lines: linesOf(segment), linesRead: 0, corrupt: 0, unsettled: 0, state: "open" };
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
    if (state === "read" && unsettled === 0) this.#options.onFinished(segment);
  }
}
