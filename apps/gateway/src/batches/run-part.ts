import { backoffMs } from "@model-gateway/runtime/backoff";
import type { DetachedResponse } from "../execution/detached-request.js";
import type { FileStore } from "../files/file-store.js";
import type { Batch, BatchPart, BatchTokens, PartProgress, PendingLine } from "./batch.js";
import type { BatchStore, SavedPart } from "./batch-store.js";
import { estimateResult, type WidthOf } from "./estimate-results.js";
import { tokensOf } from "./line-results.js";
import { reparseLine, type ShapeOf } from "./parse-line.js";
import { PartJournal, type PartJournalOptions } from "./part-journal.js";
import { readLines } from "./read-lines.js";
import type { LineOutcome } from "./retry-line.js";
import {
  hasEnded,
  type LineRunnerOptions,
  pauseMsMax,
  type RunLine,
  type RunningLine,
  runLines,
} from "./run-lines.js";
import { isStoreDown, segmentBytes, storeResults, untilStored } from "./store-results.js";
import { isBlank } from "./validate-file.js";

export interface PartRunnerOptions extends Omit<LineRunnerOptions, "onEnded"> {
  readonly store: Pick<BatchStore, "savePart">;
  readonly files: Pick<FileStore, "checkWritable" | "create" | "read" | "delete">;
  readonly log: PartJournalOptions["log"];
  readonly lineBytesMax: number;
  readonly shapeOf: ShapeOf;
  readonly widthOf: WidthOf;
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How a part went. The key may have stopped working on the way. */
type PartRun = { readonly keyRefused?: string };

/**
 * Runs the lines of a part that have not ended, stores their results, and then records that they are there. Rejects before
 * anything runs if the store is full or down.
 */
export async function runPart(batch: Batch, part: BatchPart, options: PartRunnerOptions): Promise<PartRun> {
  const { store, files, holder, now } = options;
  const lines = await readPart(batch, part, options);
  await checkRoom(copiesOf(lines) * sumOf(lines, ({ estimatedBytes }) => estimatedBytes), files);
  const journal = new PartJournal(part, options);
  const ran = await runLeftLines(batch, lines, { ...options, journal });
  const { stored, progress } = await storeRun(batch, part, { ran, options });
  const latest = new Map(ran.map((one) => [one.line, one]));
  const saved: SavedPart = {
    ...progress,
    pending: lines.filter((line) => !stored.has(line)).map((line) => pendingAfter(line, latest.get(line))),
    resumeAt: now() + pauseMs(lines, latest),
  };
  const isSaved = await untilStored(() => store.savePart(part, holder, saved), options);
  if (isSaved && saved.segment !== undefined) await journal.delete();
  const refused = ran.find(({ outcome }) => outcome.kind === "key refused");
  return refused?.outcome.kind === "key refused" ? { keyRefused: refused.outcome.message } : {};
}

/** The journal must not take the room of the results. A single line has none: its end is that of the part. */
function copiesOf({ length }: readonly RunningLine[]): number {
  return length > 1 ? 2 : 1;
}

/** The store is full or down, and nothing has run. */
export class NoRoomError extends Error {}

async function checkRoom(bytes: number, files: PartRunnerOptions["files"]): Promise<void> {
  try {
    await files.checkWritable(bytes);
  } catch (cause) {
    throw isStoreDown(cause) ? new NoRoomError("The results have no room.", { cause }) : cause;
  }
}

/** Runs the lines that have no response in the journal of an earlier run, which a crash cut off. */
async function runLeftLines(
  batch: Batch,
  lines: readonly RunningLine[],
  { journal, ...options }: PartRunnerOptions & { readonly journal: PartJournal },
): Promise<RunLine[]> {
  const kept = await journal.read();
  const ended = lines.flatMap((line) => {
    const response = kept.get(line.line);
    return response === undefined ? [] : [keptLine(line, response)];
  });
  const left = lines.filter(({ line }) => !kept.has(line));
  const onEnded = ({ line: { line }, response }: RunLine) => journal.add({ line, response });
  try {
    return [...ended, ...(await runLines(batch, left, { ...options, onEnded }))];
  } finally {
    await journal.close();
  }
}

function keptLine(line: RunningLine, response: DetachedResponse): RunLine {
  return {
    line,
    response,
    outcome: { kind: response.status < 400 ? "completed" : "failed" },
    linkedBytes: 0,
  };
}

/** Stores the results of lines that have ended. Where that fails for long, their lines are not done, and say that they ran. */
async function storeRun(
  batch: Batch,
  part: BatchPart,
  { ran, options }: { readonly ran: readonly RunLine[]; readonly options: PartRunnerOptions },
): Promise<{ readonly stored: ReadonlySet<RunningLine>; readonly progress: PartProgress }> {
  const ended = ran.filter(hasEnded);
  const lines = ended.map(({ line, response, outcome }) => ({
    line,
    response,
    isCompleted: outcome.kind === "completed",
  }));
  try {
    const { segment } = await storeResults(batch, part, { ended: lines, options });
    const linkedBytes = sumOf(ended, ({ linkedBytes }) => linkedBytes);
    const completed = ended.filter(({ outcome }) => outcome.kind === "completed");
    const progress = {
      ...(segment && { segment }),
      completed: completed.length,
      failed: ended.length - completed.length,
      tokens: completed.map(({ response }) => tokensOf(response)).reduce(addTokens, noTokens),
      storedBytes: segmentBytes(segment) + linkedBytes,
      estimatedBytes: sumOf(ended, ({ line }) => line.estimatedBytes),
      linkedBytes,
    };
    return { stored: new Set(ended.map(({ line }) => line)), progress };
  } catch (failure) {
    if (!isStoreDown(failure)) throw failure;
    return { stored: new Set(), progress: noProgress };
  }
}

const noTokens: BatchTokens = { input: 0, output: 0 };
const noProgress: PartProgress = {
  completed: 0,
  failed: 0,
  tokens: noTokens,
  storedBytes: 0,
  estimatedBytes: 0,
  linkedBytes: 0,
};

/** A line that ran, now or before, says so if its batch ends before its result is stored. */
function pendingAfter(line: RunningLine, run: RunLine | undefined): PendingLine {
  const ran = line.hasRun === true || (run !== undefined && (hasEnded(run) || run.isUnstored));
  return {
    line: line.line,
    failures: line.failures + failuresOf(run?.outcome),
    ...(ran && { hasRun: true as const }),
  };
}

function sumOf<T>(items: readonly T[], amountOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

/** The lines of a part that have not ended. Throws if the file is gone. */
async function readPart(
  { inputFileId, endpoint }: Batch,
  { start, end, firstLine, pending }: BatchPart,
  { files, lineBytesMax, shapeOf, widthOf }: PartRunnerOptions,
): Promise<RunningLine[]> {
  const wanted = pending && new Map(pending.map((one) => [one.line, one]));
  const stream = await files.read(inputFileId, { start, end });
  const form = { endpoint, shape: shapeOf(endpoint) };
  const lines: RunningLine[] = [];
  for await (const { number: line, text } of readLines(stream, {
    lineBytesMax,
    from: { start, line: firstLine },
  })) {
    if (text === undefined || isBlank(text) || (wanted !== null && !wanted.has(line))) continue;
    const before = wanted?.get(line) ?? { line, failures: 0 };
    const parsed = await reparseLine(text, form);
    const estimatedBytes = estimateResult(parsed, { endpoint, widthOf });
    lines.push({ ...before, ...parsed, bytes: text.length, estimatedBytes });
  }
  return lines;
}

function failuresOf(outcome: LineOutcome | undefined): number {
  return outcome?.kind === "again" && outcome.counts ? 1 : 0;
}

/** After the first failure of an upstream. */
const firstBackoffMs = 1000;

/** Until the lines that are left may pass. It doubles with each failure of an upstream. */
function pauseMs(lines: readonly RunningLine[], latest: ReadonlyMap<RunningLine, RunLine>): number {
  const pauses = lines.flatMap((line) => {
    const outcome = latest.get(line)?.outcome;
    if (outcome?.kind !== "again") return [];
    return outcome.counts
      ? Math.max(outcome.afterMs, backoffMs(line.failures + 1, { firstMs: firstBackoffMs }))
      : outcome.afterMs;
  });
  return Math.min(pauseMsMax, Math.max(0, ...pauses));
}

function addTokens(sum: BatchTokens, { input, output }: BatchTokens): BatchTokens {
  return { input: sum.input + input, output: sum.output + output };
}
