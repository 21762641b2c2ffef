import type { Clock } from "@model-gateway/runtime/clock";
import { nextBulkTurn } from "@model-gateway/runtime/time-slice";
import type { DetachedResponse, RunDetached } from "../execution/detached-request.js";
import { type Batch, endpointOperations, type PendingLine } from "./batch.js";
import { deliverLinks, type ImageLinks, withoutLinks } from "./image-links.js";
import { requestIdOf } from "./line-results.js";
import type { BatchLine } from "./parse-line.js";
import { judgeError, type LineOutcome } from "./retry-line.js";
import { isStoreDown, untilStored } from "./store-results.js";

export interface LineRunnerOptions {
  readonly run: RunDetached;
  readonly links: ImageLinks;
  readonly clock: Clock;
  /** Aborts when the gateway stops. */
  readonly signal: AbortSignal;
  /** Called for a line that has a result, while others still run. */
  readonly onEnded: (run: RunLine) => void;
}

/** A line of the part, as it runs. */
export interface RunningLine extends PendingLine, BatchLine {
  readonly bytes: number;
  /** The bytes that are reserved for its result. */
  readonly estimatedBytes: number;
}

/** The end of a line, or the reason why it has none. */
export interface RunLine {
  readonly line: RunningLine;
  readonly response: DetachedResponse;
  readonly outcome: LineOutcome;
  /** The images behind links in the response. */
  readonly linkedBytes: number;
  /** It has run, but its images could not be stored. */
  readonly isUnstored?: true;
}

/** Lines that begin in one turn of the event loop. They take some two milliseconds. */
const linesPerTurn = 8;

/** Upstream failures of a line, with growing pauses, until it has failed. */
const failuresMax = 8;
/** The longest pause of a line. */
export const pauseMsMax = 60_000;

/**
 * Runs lines together. Where a limit lets only some of them pass, those that are left follow in smaller groups, until
 * none of a group passes.
 */
export async function runLines(
  batch: Batch,
  lines: readonly RunningLine[],
  options: LineRunnerOptions,
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
  options: LineRunnerOptions,
): Promise<Promise<RunLine>[]> {
  const started: Promise<RunLine>[] = [];
  for (const line of lines) {
    if (started.length % linesPerTurn === 0) await nextBulkTurn();
    const running = runLine(batch, line, options).then((run) => {
      if (hasEnded(run)) options.onEnded(run);
      return run;
    });
    // It may fail before the others have begun. The wait for all of them sees it.
    running.catch(() => undefined);
    started.push(running);
  }
  return started;
}

async function runLine(
  { id, keyId, endpoint, origin }: Batch,
  line: RunningLine,
  { run, links, clock, signal }: LineRunnerOptions,
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
  if (!isImage || outcome.kind !== "completed") return { line, response, outcome, linkedBytes: 0 };
  const linked = { batchId: id, line, origin, links };
  try {
    const delivered = await untilStored(() => deliverLinks(response.body, linked), { clock, signal });
    const { body, linkedBytes } = delivered;
    return { line, response: { ...response, body }, outcome, linkedBytes };
  } catch (failure) {
    if (!isStoreDown(failure)) throw failure;
    const again = { kind: "again", counts: false, afterMs: pauseMsMax } as const;
    return { line, response, outcome: again, linkedBytes: 0, isUnstored: true };
  }
}

function limitFailures(outcome: LineOutcome, { failures }: PendingLine): LineOutcome {
  const isLast = outcome.kind === "again" && outcome.counts && failures + 1 >= failuresMax;
  return isLast ? { kind: "failed" } : outcome;
}

/** Whether the line has a result. */
export function hasEnded({ outcome }: RunLine): boolean {
  return outcome.kind === "completed" || outcome.kind === "failed";
}
