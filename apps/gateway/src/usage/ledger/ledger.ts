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
  /** The waiting rows that are in memory, because the disk could not take them. */
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
  const { folder, orphans = [], log, clock } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const failures = new LedgerFailures(options);
  const spool = await openSpool(options, failures);
  const begun = await BegunRequests.open({
    folder,
    orphans,
    onFailure: (failure) =>
      failures.log(failure, "Requests cannot be noted on disk; a crash would forget their cost."),
  });
  const shipper = new LedgerShipper({
    ...options,
    spool,
    onFailure: failures.note,
    onStored: (rows) => begun.noteStored(rows),
  });
  const ledger = new SpooledLedger({ spool, begun, shipper, failures, clock });
  if (begun.abandoned.length > 0)
    log.warn(
      { requests: begun.abandoned.length },
      "The last process ended before these requests did. Their upstreams may have charged for them: their cost is unknown.",
    );
  ledger.recordAbandoned();
  return ledger;
}

async function openSpool(options: LedgerOptions, failures: LedgerFailures): Promise<LedgerSpool> {
  const { folder, orphans = [], bytesMax, heldBytesMax = defaultHeldBytesMax, log } = options;
  const adopted: Segment[] = [];
  for (const orphan of orphans) adopted.push(...(await adopt(orphan)));
  const { segments, nextNumber } = await findSegments(folder);
  return new LedgerSpool({
    folder,
    segments: [...adopted, ...segments],
    nextNumber,
    rejectedBytes: await sizeOf(rejectedPath(folder)),
    bytesMax,
    segmentBytesMax: Math.min(segmentBytesMax, Math.ceil(bytesMax / 4)),
    heldBytesMax,
    onHeld: (failure) =>
      failures.log(failure, "A ledger row cannot be written; rows wait in memory until there is room."),
    log,
  });
}

/** The last failure of shipping or writing, and the rows that were lost. */
class LedgerFailures {
  readonly #options: Pick<LedgerOptions, "log" | "clock">;
  /** When each message was due for the last time. */
  readonly #dueAt = new Map<string, number>();
  dropped = 0;
  last: unknown;

  constructor(options: Pick<LedgerOptions, "log" | "clock">) {
    this.#options = options;
  }

  readonly note = (failure: unknown): void => {
    this.last = failure;
  };

  readonly drop = (failure: unknown): void => {
    this.log(failure, "A ledger row cannot be kept; rows are dropped and counted.", {
      dropped: this.dropped,
    });
    this.dropped += 1;
  };

  /** Failures that follow each other have one line in the log. */
  log(failure: unknown, message: string, details?: object): void {
    const { log, clock } = this.#options;
    this.note(failure);
    if (clock.now() - (this.#dueAt.get(message) ?? Number.NEGATIVE_INFINITY) > episodeMs)
      log.error({ err: failure, ...details }, message);
    this.#dueAt.set(message, clock.now());
  }
}

interface LedgerParts {
  readonly spool: LedgerSpool;
  readonly begun: BegunRequests;
  readonly shipper: LedgerShipper;
  readonly failures: LedgerFailures;
  readonly clock: Clock;
}

class SpooledLedger implements Ledger {
  readonly #parts: LedgerParts;
  readonly #closing = new AbortController();

  constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  record(...rows: readonly LedgerRow[]): void {
    const { spool, begun, failures } = this.#parts;
    try {
      spool.append(rows, failures.drop);
    } catch (failure) {
      for (const _ of rows) failures.drop(failure);
    }
    for (const { id } of rows) begun.end(id);
  }

  begin(row: LedgerRow): void {
    this.#parts.begun.begin(row);
  }

  forget(id: string): void {
    this.#parts.begun.forget(id);
  }

  get abandoned(): readonly LedgerRow[] {
    return this.#parts.begun.abandoned;
  }

  /** Gives requests of the last process their rows: those that can run again only if they have not ended in time. */
  recordAbandoned(): void {
    const { begun, clock } = this.#parts;
    this.record(...begun.abandoned.filter(({ jobId, batchId }) => jobId === null && batchId === null));
    if (begun.unended.length === 0) return;
    void clock.wait(rerunMsMax, this.#closing.signal).then(
      () => this.record(...begun.unended),
      () => undefined,
    );
  }

  snapshot(): LedgerSnapshot {
    const { spool, shipper, failures, clock } = this.#parts;
    const { since, ...waiting } = spool.state;
    return {
      ...waiting,
      oldestAgeMs: since === null ? null : Math.max(0, clock.now() - since),
      shipped: shipper.shipped,
      dropped: failures.dropped,
      lastFailure: nameOf(failures.last),
    };
  }

  async close(): Promise<void> {
    const { spool, begun, shipper, failures } = this.#parts;
    this.#closing.abort();
    await shipper.close(closeMsMax);
    await spool.close(failures.drop);
    begun.close();
  }
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
