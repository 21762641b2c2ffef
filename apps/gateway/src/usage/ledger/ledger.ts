import { mkdir, readdir, rmdir, stat } from "node:fs/promises";
import type { Clock } from "@model-gateway/runtime/clock";
import type { Logger } from "pino";
import { BegunRequests } from "./begun-requests.js";
import type { LedgerRow, LedgerStore } from "./ledger-store.js";
import { findSegments, type Segment } from "./segments.js";
import { LedgerShipper } from "./shipper.js";
import { LedgerSpool, rejectedPath } from "./spool.js";

/** The rows that wait in this process, and the rows that it shipped or lost. */
export interface LedgerSnapshot {
  readonly rows: number;
  readonly bytes: number;
  /** Those of the rows that are in memory, because the disk could not take them. */
  readonly heldRows: number;
  /** The age of the oldest waiting row; null if none waits. */
  readonly oldestAgeMs: number | null;
  readonly shipped: number;
  /** Rows that were lost because the spool, or the disk and the memory for its rows, were full. */
  readonly dropped: number;
  /** Lines torn by a crash or damaged on the disk. */
  readonly corrupt: number;
  /** Rows that the store rejects permanently; they are in the file `rejected`. */
  readonly rejected: number;
  /** The code or name of the last error, in shipping or in writing. */
  readonly lastFailure: string | null;
}

/** One row per request, kept on disk until the store has it. */
export interface Ledger {
  /**
   * When it returns, the rows survive a crash of the process. On a full disk they are kept in memory until there is room.
   * It never throws: rows that cannot be kept are counted.
   */
  record(...rows: readonly LedgerRow[]): void;
  /**
   * When it returns, a crash of the process gives the request this row, unless it has another by then. On a full disk that
   * is not so: the request goes on all the same.
   */
  begin(row: LedgerRow): void;
  /** A request that has begun has ended, and needs no row. */
  forget(id: string): void;
  /** Requests that an earlier process did not end, and whose rows are not in the store. */
  readonly abandoned: readonly LedgerRow[];
  snapshot(): LedgerSnapshot;
  /** Ships as much as it can within a few seconds. The rest stays on disk for the next start. */
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** Used by this process only. */
  readonly folder: string;
  /** Folders of processes that have ended. Their rows are shipped as well. */
  readonly orphans?: readonly string[];
  readonly store: Pick<LedgerStore, "add">;
  /** The maximum size of the spool. When it is full, new rows are dropped. */
  readonly bytesMax: number;
  /** The maximum of rows in memory while the disk is full. */
  readonly heldBytesMax?: number;
  /** Time to wait for more rows when they are fewer than a batch. */
  readonly gatherMs?: number;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
}

const segmentBytesMax = 1024 * 1024;
/** About 20,000 rows. */
const defaultHeldBytesMax = 4 * 1024 * 1024;
const closeMsMax = 5000;
/** Jobs and lines of batches run again after a crash, and then have the row of that run. Some run never again. */
const rerunMsMax = 3_600_000;
/** Failures that follow each other within this time are one episode, with one log line. */
const episodeMs = 60_000;

/** Opens the spool of this process and starts shipping it. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { folder, orphans = [], bytesMax, log, clock } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const adopted: Segment[] = [];
  for (const orphan of orphans) adopted.push(...(await adopt(orphan)));
  const { segments, nextNumber } = await findSegments(folder);
  let dropped = 0;
  let lastFailure: unknown;
  const onFailure = (failure: unknown): void => {
    lastFailure = failure;
  };
  const sayDropped = oncePerEpisode(clock);
  const sayHeld = oncePerEpisode(clock);
  const spool = new LedgerSpool({
    folder,
    segments: [...adopted, ...segments],
    nextNumber,
    rejectedBytes: await sizeOf(rejectedPath(folder)),
    bytesMax,
    segmentBytesMax: Math.min(segmentBytesMax, Math.ceil(bytesMax / 4)),
    heldBytesMax: options.heldBytesMax ?? defaultHeldBytesMax,
    onHeld: (failure) => {
      onFailure(failure);
      sayHeld(() =>
        log.error(
          { err: failure },
          "A ledger row cannot be written; rows wait in memory until there is room.",
        ),
      );
    },
    log,
  });
  const sayForgettable = oncePerEpisode(clock);
  const begun = await BegunRequests.open({
    folder,
    orphans,
    onFailure: (failure) => {
      onFailure(failure);
      sayForgettable(() =>
        log.error({ err: failure }, "Requests cannot be noted on disk; a crash would forget their cost."),
      );
    },
  });
  const onStored = (rows: readonly LedgerRow[]) => begun.noteStored(rows);
  const shipper = new LedgerShipper({ ...options, spool, onFailure, onStored });

  const drop = (failure: unknown): void => {
    sayDropped(() =>
      log.error({ err: failure, dropped }, "A ledger row cannot be kept; rows are dropped and counted."),
    );
    dropped += 1;
    onFailure(failure);
  };
  const record = (...rows: readonly LedgerRow[]): void => {
    try {
      spool.append(rows, drop);
    } catch (failure) {
      for (const _ of rows) drop(failure);
    }
    for (const { id } of rows) begun.end(id);
  };
  const { abandoned } = begun;
  if (abandoned.length > 0)
    log.warn(
      { requests: abandoned.length },
      "The last process ended before these requests did. Their upstreams may have charged for them: their cost is unknown.",
    );
  record(...abandoned.filter(({ jobId, batchId }) => jobId === null && batchId === null));
  const closing = new AbortController();
  if (begun.unended.length > 0)
    void clock.wait(rerunMsMax, closing.signal).then(
      () => record(...begun.unended),
      () => undefined,
    );
  return {
    record,
    begin: (row) => begun.begin(row),
    forget: (id) => begun.forget(id),
    get abandoned() {
      return begun.abandoned;
    },
    snapshot: () => {
      const { rows, bytes, heldRows, corrupt, rejected, since } = spool.state;
      return {
        rows,
        bytes,
        heldRows,
        oldestAgeMs: since === null ? null : Math.max(0, clock.now() - since),
        shipped: shipper.shipped,
        dropped,
        corrupt,
        rejected,
        lastFailure: nameOf(lastFailure),
      };
    },
    close: async () => {
      closing.abort();
      await shipper.close(closeMsMax);
      await spool.close(drop);
      begun.close();
    },
  };
}

/** Says something once for all failures that follow each other. */
function oncePerEpisode(clock: Clock): (say: () => void) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return (say) => {
    if (clock.now() - lastAt > episodeMs) say();
    lastAt = clock.now();
  };
}

/** The folder may be empty, or gone because another process has adopted it. */
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

/** Not the message: it may contain more than metrics should show. */
function nameOf(failure: unknown): string | null {
  if (failure === undefined) return null;
  if (!(failure instanceof Error)) return "Error";
  return "code" in failure && typeof failure.code === "string" ? failure.code : failure.name;
}

/**
 * Records the rows of requests that end in the same event-loop turn with one write: the system call takes longer than
 * creating the row. It delays no request: the write happens in the next microtask.
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
