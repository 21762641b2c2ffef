import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isTargetFailure } from "@model-gateway/domain/request-failure";
import { isObject } from "@model-gateway/runtime/json";
import { writeWhole } from "@model-gateway/runtime/write-whole";
import type { HalfHour } from "@model-gateway/scheduling/call-history";
import type { TargetHistory } from "@model-gateway/scheduling/scheduler";

/** A target has some 2 KB, and 4 KB with failures. */
const bytesMax = 16 * 1024 * 1024;

/** The last 24 hours of the targets of one worker, in the data folder. Only the worker itself reads and writes it. */
export class HistoryFile {
  readonly #path: string;
  #written = "";
  #writing: Promise<void> = Promise.resolve();

  constructor(dataDir: string, slot: number) {
    this.#path = join(dataDir, `target-history-${slot}.json`);
  }

  /** Empty if there is none, or if it cannot be read: the counts are worth no failed start. */
  async read(): Promise<readonly TargetHistory[]> {
    try {
      if ((await stat(this.#path)).size > bytesMax) return [];
      const stored: unknown = JSON.parse(await readFile(this.#path, "utf8"));
      return Array.isArray(stored) && stored.every(isHistory) ? stored.map(open) : [];
    } catch {
      return [];
    }
  }

  /** Writes nothing if nothing has changed. */
  write(histories: readonly TargetHistory[]): Promise<void> {
    const writing = this.#writing.then(async () => {
      const text = JSON.stringify(histories.map(fold));
      if (text === this.#written || text.length > bytesMax) return;
      await writeWhole(this.#path, text);
      this.#written = text;
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }
}

/** Half hours as rows of numbers: their names would be most of the file. */
interface StoredHistory extends Omit<TargetHistory, "halfHours"> {
  readonly halfHours: readonly (readonly number[])[];
}

function fold({ halfHours, ...history }: TargetHistory): StoredHistory {
  return {
    ...history,
    halfHours: halfHours.map(({ start, ok, failed, downMs }) => [start, ok, failed, Math.round(downMs)]),
  };
}

function open({ halfHours, ...history }: StoredHistory): TargetHistory {
  const read = ([start = 0, ok = 0, failed = 0, downMs = 0]: readonly number[]): HalfHour => ({
    start,
    ok,
    failed,
    downMs,
  });
  return { ...history, halfHours: halfHours.map(read) };
}

function isHistory(value: unknown): value is StoredHistory {
  return (
    isObject(value) &&
    typeof value.upstream === "string" &&
    typeof value.model === "string" &&
    Number.isFinite(value.since) &&
    (value.provenAt === null || Number.isFinite(value.provenAt)) &&
    Array.isArray(value.halfHours) &&
    value.halfHours.every((row) => Array.isArray(row) && row.length === 4 && row.every(isCount)) &&
    Array.isArray(value.failures) &&
    value.failures.every(isTargetFailure)
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
