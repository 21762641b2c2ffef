import { mkdir, readdir, rmdir, stat } from "node:fs/promises";
import type { Logger } from "pino";
import type { Clock } from "../../domain/clock.js";
import type { LedgerRow, LedgerStore } from "./ledger-store.js";
import { findSegments, type Segment } from "./segments.js";
import { LedgerShipper } from "./shipper.js";
import { LedgerSpool, rejectedPath } from "./spool.js";

/** Rows that went no further than this process: how many wait, and how many it could not keep. */
export interface LedgerSnapshot {
  readonly rows: number;
  readonly bytes: number;
  /** How long ago the oldest row came that waits; null where none does. */
  readonly oldestAgeMs: number | null;
  readonly shipped: number;
  /** Rows for which there was no room, or that the disk did not take. */
  readonly dropped: number;
  /** Lines that were torn by a crash or damaged on the disk. */
  readonly corrupt: number;
  /** Rows that the store did not take whatever was tried; they lie in the file `rejected`. */
  readonly rejected: number;
  /** The code or the name of what went wrong last, in shipping or in writing. */
  readonly lastFailure: string | null;
}

/** One row a request, kept on the disk until the store has it. */
export interface Ledger {
  /** When it returns, the rows survive the death of the process. It never throws: what cannot be kept is counted. */
  record(...rows: readonly LedgerRow[]): void;
  snapshot(): LedgerSnapshot;
  /** Ships what it can in a few seconds. What is left on the disk is shipped after the next start. */
  close(): Promise<void>;
}

export interface LedgerNeeds {
  /** A folder of this process alone. */
  readonly folder: string;
  /** Folders of processes that are no more, whose rows are shipped as well. */
  readonly orphans?: readonly string[];
  readonly store: Pick<LedgerStore, "add">;
  /** What waits on the disk never takes more. When it is full, the oldest rows are kept. */
  readonly bytesMax: number;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

const segmentBytesMax = 1024 * 1024;
const closeMsMax = 5000;
/** Rows must have been kept for so long before it is worth a line in the log that one is dropped. */
const episodeMs = 60_000;

/** Opens the spool of a process, and begins to ship what is in it. */
export async function openLedger(needs: LedgerNeeds): Promise<Ledger> {
  const { folder, orphans = [], bytesMax, log, clock } = needs;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const adopted: Segment[] = [];
  for (const orphan of orphans) adopted.push(...(await adopt(orphan)));
  const { segments, nextNumber } = await findSegments(folder);
  const spool = new LedgerSpool({
    folder,
    segments: [...adopted, ...segments],
    nextNumber,
    rejectedBytes: await sizeOf(rejectedPath(folder)),
    bytesMax,
    segmentBytesMax: Math.min(segmentBytesMax, Math.ceil(bytesMax / 4)),
    log,
  });
  let dropped = 0;
  let lastDropAt = Number.NEGATIVE_INFINITY;
  let lastFailure: unknown;
  const onFailure = (failure: unknown): void => {
    lastFailure = failure;
  };
  const shipper = new LedgerShipper({ ...needs, spool, onFailure });

  const drop = (failure: unknown): void => {
    const now = clock.now();
    if (now - lastDropAt > episodeMs)
      log.error({ err: failure, dropped }, "The ledger cannot keep a row; rows are dropped and counted.");
    dropped += 1;
    lastDropAt = now;
    onFailure(failure);
  };
  return {
    record: (...rows) => {
      try {
        spool.append(rows, drop);
      } catch (failure) {
        for (const _ of rows) drop(failure);
      }
    },
    snapshot: () => {
      const { rows, bytes, corrupt, rejected, since } = spool.state;
      return {
        rows,
        bytes,
        oldestAgeMs: since === null ? null : Math.max(0, clock.now() - since),
        shipped: shipper.shipped,
        dropped,
        corrupt,
        rejected,
        lastFailure: nameOf(lastFailure),
      };
    },
    close: async () => {
      await shipper.close(closeMsMax);
      await spool.close();
    },
  };
}

/** Another process may have adopted it first, and it may never have held anything. */
async function adopt(folder: string): Promise<Segment[]> {
  try {
    const { segments } = await findSegments(folder);
    if ((await readdir(folder)).length === 0) await rmdir(folder);
    return segments;
  } catch {
    return [];
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Not its message: that may say more than a page of figures should. */
function nameOf(failure: unknown): string | null {
  if (failure === undefined) return null;
  if (!(failure instanceof Error)) return "Error";
  return "code" in failure && typeof failure.code === "string" ? failure.code : failure.name;
}

/**
 * Records rows of requests that end together in one go: each write asks the operating system, which takes longer than
 * making the row. Nobody waits for others to end.
 */
export function gatherRows(ledger: Pick<Ledger, "record">): (row: LedgerRow) => Promise<void> {
  let rows: LedgerRow[] = [];
  let recording: Promise<void> | undefined;
  const record = (): void => {
    const gathered = rows;
    rows = [];
    recording = undefined;
    ledger.record(...gathered);
  };
  return (row) => {
    rows.push(row);
    recording ??= Promise.resolve().then(record);
    return recording;
  };
}
