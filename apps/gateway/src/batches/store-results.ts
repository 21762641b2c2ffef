import { GatewayError } from "@model-gateway/domain/errors";
import type { Clock } from "@model-gateway/runtime/clock";
import { nextBulkTurn } from "@model-gateway/runtime/time-slice";
import type { DetachedResponse } from "../execution/detached-request.js";
import type { FileStore } from "../files/file-store.js";
import type { Batch, BatchPart, PartProgress, PartSegment } from "./batch.js";
import { requestIdOf, resultLine } from "./line-results.js";

/** A line that has ended, for the output file or the error file. */
interface EndedLine {
  readonly line: { readonly line: number; readonly customId: string };
  readonly response: DetachedResponse;
  readonly isCompleted: boolean;
}

interface StoreOptions {
  readonly files: Pick<FileStore, "create">;
  /** Monotonic or not: only differences count. */
  readonly clock: Clock;
  /** Aborts when the gateway stops. */
  readonly signal: AbortSignal;
}

/** Lines whose results are written in one turn. They take some two milliseconds. */
const textsPerTurn = 64;
const retryMs = 5000;
/** Results wait in memory for as long as this. */
const patienceMs = 10 * 60_000;

/** Whether the disk is full, or the bucket or the database is down. */
export function isStoreDown(failure: unknown): failure is GatewayError {
  return failure instanceof GatewayError && failure.status === 503;
}

/** Tries again while the store is full or down: what was paid for is not given up at once. */
export async function untilStored<T>(
  store: () => Promise<T>,
  { clock, signal }: Pick<StoreOptions, "clock" | "signal">,
): Promise<T> {
  const until = clock.now() + patienceMs;
  for (;;) {
    try {
      return await store();
    } catch (failure) {
      if (!isStoreDown(failure) || signal.aborted || clock.now() >= until) throw failure;
      await clock.wait(retryMs, signal).catch(() => undefined);
    }
  }
}

/** The stored results of lines. They count once the part's row names them. */
export async function storeResults(
  { id: batchId }: Batch,
  part: BatchPart,
  { ended, options }: { readonly ended: readonly EndedLine[]; readonly options: StoreOptions },
): Promise<Pick<PartProgress, "segment">> {
  if (ended.length === 0) return {};
  const inOrder = ended.toSorted((one, other) => one.line.line - other.line.line);
  const output = await resultLines(
    batchId,
    inOrder.filter(({ isCompleted }) => isCompleted),
  );
  const errors = await resultLines(
    batchId,
    inOrder.filter(({ isCompleted }) => !isCompleted),
  );
  // Unique for each attempt: a process that was taken for dead must not change what another one has written.
  const fileId = partFileId(batchId, `${part.number}-${part.segments.length}-${part.attempts}`);
  await untilStored(() => writeFile(fileId, [...output, ...errors], options.files), options);
  return { segment: { fileId, outputBytes: bytesOf(output), errorBytes: bytesOf(errors) } };
}

/** The bytes of a segment. */
export function segmentBytes(segment: PartSegment | undefined): number {
  return segment === undefined ? 0 : segment.outputBytes + segment.errorBytes;
}

/** Names the batch, so that a sweep knows whether the file is needed. */
export function partFileId(batchId: string, name: string): string {
  return `part-${batchId}-${name}`;
}

async function writeFile(
  id: string,
  lines: readonly Buffer[],
  files: Pick<FileStore, "create">,
): Promise<void> {
  const writer = await files.create(id);
  try {
    for (const line of lines) await writer.write(line);
    await writer.commit();
  } finally {
    await writer.abort();
  }
}

async function resultLines(batchId: string, ended: readonly EndedLine[]): Promise<Buffer[]> {
  const written: Buffer[] = [];
  for (const { line, response } of ended) {
    if (written.length % textsPerTurn === 0) await nextBulkTurn();
    written.push(resultLine(requestIdOf(batchId, line.line), line.customId, response));
  }
  return written;
}

function bytesOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
