import type { FileStore } from "../files/file-store.js";
import type { DetachedResponse, RunDetached } from "../http/detached-request.js";
import { nextBulkTurn } from "../runtime/time-slice.js";
import {
  type Batch,
  type BatchPart,
  type BatchTokens,
  endpointOperations,
  type PendingLine,
} from "./batch.js";
import type { BatchStore, SavedPart } from "./batch-store.js";
import { deliverLinks, type ImageLinks, withoutLinks } from "./image-links.js";
import { requestIdOf, resultLine, tokensOf } from "./line-results.js";
import { type BatchLine, reparseLine, type ShapeOf } from "./parse-line.js";
import { readLines } from "./read-lines.js";
import { judgeError, type LineOutcome } from "./retry-line.js";
import { isBlank } from "./validate-file.js";

export interface PartRunnerOptions {
  readonly store: Pick<BatchStore, "savePart">;
  readonly files: Pick<FileStore, "create" | "read">;
  readonly run: RunDetached;
  readonly links: ImageLinks;
  readonly lineBytesMax: number;
  readonly shapeOf: ShapeOf;
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A line of the part, as it runs. */
interface RunningLine extends PendingLine, BatchLine {
  readonly bytes: number;
}

/** The end of a line, or the reason why it has none. */
interface RunLine {
  readonly line: RunningLine;
  readonly response: DetachedResponse;
  readonly outcome: LineOutcome;
}

/** Lines that begin in one turn of the event loop. They take some two milliseconds. */
const linesPerTurn = 8;
/** Lines that are read, or whose results are written, in one turn. They take as long. */
const textsPerTurn = 64;

/** Upstream failures of a line, with growing pauses, until it has failed. */
const failuresMax = 8;
const pauseMsMax = 60_000;

/** How a part went. The key may have stopped working on the way. */
export type PartRun = { readonly keyRefused?: string };

/** Runs the lines of a part that have not ended, stores their results, and then records that they are there. */
export async function runPart(batch: Batch, part: BatchPart, options: PartRunnerOptions): Promise<PartRun> {
  const { store, holder, now } = options;
  const lines = await readPart(batch, part, options);
  const ran = await runLines(batch, lines, options);
  const ended = ran.filter(({ outcome }) => outcome.kind === "completed" || outcome.kind === "failed");
  const done = new Set(ended.map(({ line }) => line));
  const latest = new Map(ran.map((one) => [one.line, one.outcome]));
  const saved: SavedPart = {
    ...(await writeSegment(batch, part, { ended, options })),
    pending: lines
      .filter((line) => !done.has(line))
      .map((line) => ({ line: line.line, failures: line.failures + failuresOf(latest.get(line)) })),
    resumeAt: now() + pauseMs(lines, latest),
  };
  await store.savePart(part, holder, saved);
  const refused = ran.find(({ outcome }) => outcome.kind === "key refused");
  return refused?.outcome.kind === "key refused" ? { keyRefused: refused.outcome.message } : {};
}

/** The lines of a part that have not ended. Throws if the file is gone. */
async function readPart(
  { inputFileId, endpoint }: Batch,
  { start, end, firstLine, pending }: BatchPart,
  { files, lineBytesMax, shapeOf }: PartRunnerOptions,
): Promise<RunningLine[]> {
  const wanted = pending && new Map(pending.map(({ line, failures }) => [line, failures]));
  const stream = await files.read(inputFileId, { start, end });
  const form = { endpoint, shape: shapeOf(endpoint) };
  const lines: RunningLine[] = [];
  for await (const { number: line, text } of readLines(stream, {
    lineBytesMax,
    from: { start, line: firstLine },
  })) {
    if (text === undefined || isBlank(text) || (wanted !== null && !wanted.has(line))) continue;
    const failures = wanted?.get(line) ?? 0;
    if (lines.length % textsPerTurn === 0) await nextBulkTurn();
    lines.push({ ...(await reparseLine(text, form)), line, failures, bytes: text.length });
  }
  return lines;
}

/**
 * Runs lines together. Where a limit lets only some of them pass, those that are left follow in smaller groups, until
 * none of a group passes.
 */
async function runLines(
  batch: Batch,
  lines: readonly RunningLine[],
  options: PartRunnerOptions,
): Promise<RunLine[]> {
  const ran: RunLine[] = [];
  let waiting = lines;
  let atOnce = lines.length;
  while (waiting.length > 0) {
    const group = await Promise.all(await startLines(batch, waiting.slice(0, atOnce), options));
    ran.push(...group);
    const refused = group.filter(({ outcome }) => outcome.kind === "again" && !outcome.counts);
    waiting = [...refused.map(({ line }) => line), ...waiting.slice(atOnce)];
    const passed = group.length - refused.length;
    const isKeyRefused = group.some(({ outcome }) => outcome.kind === "key refused");
    if (passed === 0 || isKeyRefused) break;
    atOnce = refused.length === 0 ? atOnce * 2 : passed;
  }
  return ran;
}

/** Resolves when all have begun. Live requests are served in between. */
async function startLines(
  batch: Batch,
  lines: readonly RunningLine[],
  options: PartRunnerOptions,
): Promise<Promise<RunLine>[]> {
  const started: Promise<RunLine>[] = [];
  for (const line of lines) {
    if (started.length % linesPerTurn === 0) await nextBulkTurn();
    const running = runLine(batch, line, options);
    // It may fail before the others have begun. The wait for all of them sees it.
    running.catch(() => undefined);
    started.push(running);
  }
  return started;
}

async function runLine(
  { id, keyId, endpoint, origin }: Batch,
  line: RunningLine,
  { run, links }: PartRunnerOptions,
): Promise<RunLine> {
  const isImage = endpoint !== "/v1/embeddings";
  let outcome: LineOutcome = { kind: "completed" };
  // Without a signal: a line that has begun is finished, since a cancelled call may be billed all the same.
  const response = await run({
    operation: endpointOperations[endpoint],
    keyId,
    requestId: requestIdOf(id, line.line),
    body: isImage ? withoutLinks(line.body) : line.body,
    bytes: line.bytes,
    headers: {
      "x-gateway-priority": "bulk",
      // An image whose outcome is not known is reported so, and never bought again.
      ...(isImage && { "idempotency-key": `${id}-${line.line}` }),
    },
    origin,
    batchId: id,
    // The ledger has one row for each line: that of its end.
    runsAgain: (error) => {
      outcome = limitFailures(judgeError(error, endpoint), line);
      return outcome.kind !== "failed";
    },
  });
  if (!isImage || outcome.kind !== "completed") return { line, response, outcome };
  const body = await deliverLinks(response.body, { batchId: id, line, origin, links });
  return { line, response: { ...response, body }, outcome };
}

function limitFailures(outcome: LineOutcome, { failures }: PendingLine): LineOutcome {
  const isLast = outcome.kind === "again" && outcome.counts && failures + 1 >= failuresMax;
  return isLast ? { kind: "failed" } : outcome;
}

function failuresOf(outcome: LineOutcome | undefined): number {
  return outcome?.kind === "again" && outcome.counts ? 1 : 0;
}

/** Until the lines that are left may pass. It doubles with each failure of an upstream. */
function pauseMs(lines: readonly RunningLine[], latest: ReadonlyMap<RunningLine, LineOutcome>): number {
  const pauses = lines.flatMap((line) => {
    const outcome = latest.get(line);
    if (outcome?.kind !== "again") return [];
    return outcome.counts ? Math.max(outcome.afterMs, 1000 * 2 ** line.failures) : outcome.afterMs;
  });
  return Math.min(pauseMsMax, Math.max(0, ...pauses));
}

/** The stored results of lines. They count once the part's row names them. */
async function writeSegment(
  { id: batchId }: Batch,
  part: BatchPart,
  { ended, options }: { readonly ended: readonly RunLine[]; readonly options: PartRunnerOptions },
): Promise<Omit<SavedPart, "pending" | "resumeAt">> {
  const completed = ended.filter(({ outcome }) => outcome.kind === "completed");
  const failed = ended.filter(({ outcome }) => outcome.kind === "failed");
  const tokens = completed
    .map(({ response }) => tokensOf(response))
    .reduce(addTokens, { input: 0, output: 0 });
  const counts = { completed: completed.length, failed: failed.length, tokens };
  if (ended.length === 0) return counts;
  const output = await resultLines(batchId, completed);
  const errors = await resultLines(batchId, failed);
  // Unique for each attempt: a process that was taken for dead must not change what another one has written.
  const fileId = partFileId(batchId, `${part.number}-${part.segments.length}-${part.attempts}`);
  const writer = await options.files.create(fileId);
  try {
    for (const line of [...output, ...errors]) await writer.write(line);
    await writer.commit();
  } finally {
    await writer.abort();
  }
  return { ...counts, segment: { fileId, outputBytes: bytesOf(output), errorBytes: bytesOf(errors) } };
}

/** In the order of the file. */
async function resultLines(batchId: string, ended: readonly RunLine[]): Promise<Buffer[]> {
  const written: Buffer[] = [];
  for (const { line, response } of ended.toSorted(byLine)) {
    if (written.length % textsPerTurn === 0) await nextBulkTurn();
    written.push(resultLine(requestIdOf(batchId, line.line), line.customId, response));
  }
  return written;
}

/** Names the batch, so that a sweep knows whether the file is needed. */
export function partFileId(batchId: string, name: string): string {
  return `part-${batchId}-${name}`;
}

function byLine(one: RunLine, other: RunLine): number {
  return one.line.line - other.line.line;
}

function addTokens(sum: BatchTokens, { input, output }: BatchTokens): BatchTokens {
  return { input: sum.input + input, output: sum.output + output };
}

function bytesOf(lines: readonly Buffer[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
