import { isFromFullDisk } from "@model-gateway/domain/failure-code";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { DestinationStream, Logger } from "pino";
import pino from "pino";
import type { LoggedColumn } from "../usage/ledger/ledger-columns.js";
import type { LedgerRow } from "../usage/ledger/ledger-store.js";

type HideInJson = Pick<HideSecrets, "hideInJson">;

/** Structured lines, one JSON object each, without secrets. */
export function createLog(level: string, destination: DestinationStream, secrets: HideInJson): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeFailure },
    },
    { write: (line: string) => destination.write(`${secrets.hideInJson(line.trimEnd())}\n`) },
  );
}

/** A full disk is met anywhere. Its stack would only hide the sentence that says so. */
function describeFailure(failure: Error): object {
  const described = pino.stdSerializers.err(failure);
  return isFromFullDisk(failure) ? { ...described, stack: undefined } : described;
}

const flushEveryMs = 20;
/** A pipe takes a write of this size atomically, so lines of several processes never mix. */
export const atomicWriteBytes = 4096;
const writeBytes = 16_384;

interface LogDestination extends DestinationStream {
  /** Writes everything before it returns, for the exit of the process. */
  flushSync(): void;
}

/**
 * Standard output, buffered for up to 20 ms or `writeBytesMax`: a write costs as much as several lines. The timer runs
 * only while there are new lines, so an idle gateway does not wake up.
 */
export function openLogDestination({
  dest = 1,
  writeBytesMax = writeBytes,
}: {
  readonly dest?: number | string;
  readonly writeBytesMax?: number;
} = {}): LogDestination {
  // pino's own buffer (`minLength`) copies its content with every line, so the lines are joined here.
  const stream = pino.destination({ dest, sync: false, maxWrite: writeBytesMax });
  let lines = "";
  let bytes = 0;
  let isTimerSet = false;
  const flush = () => {
    if (bytes === 0) return;
    stream.write(lines);
    lines = "";
    bytes = 0;
  };
  const onTimer = () => {
    isTimerSet = false;
    flush();
  };
  return {
    write: (line) => {
      const lineBytes = Buffer.byteLength(line);
      if (bytes + lineBytes > writeBytesMax) flush();
      lines += line;
      bytes += lineBytes;
      if (isTimerSet) return;
      isTimerSet = true;
      setTimeout(onTimer, flushEveryMs).unref();
    },
    flushSync: () => {
      flush();
      stream.flushSync();
    },
  };
}

/** The outcome of a request. */
export interface LoggedSummary extends LoggedColumns {
  readonly caller: { readonly id: string; readonly name: string | undefined } | undefined;
  readonly address: string | undefined;
  readonly bulk: object | undefined;
}

/** Undefined where the row has null, or nothing. */
type LoggedColumns = { readonly [Name in LoggedColumn]: Exclude<LedgerRow[Name], null> | undefined };

/** A finished request, and how it ended. */
export interface FinishedLogEntry {
  readonly arrival: { readonly id: string; readonly clientRequestId: string | undefined };
  readonly summary: LoggedSummary;
  readonly method: string;
  /** The request's target, with its query. JSON lines have the operation instead. */
  readonly url: string;
  readonly status: number;
  readonly ms: number;
}

/** Operations that machines call every few seconds. Their lines would hide the others. */
const probes: ReadonlySet<string | undefined> = new Set(["checkHealth", "checkReadiness", "readMetrics"]);

export function isProbe(operation: string | undefined): boolean {
  return probes.has(operation);
}

/**
 * Writes one line per finished request: sizes and names, never a key, a prompt, a vector or an image. A probe that
 * succeeds is a line of the level debug.
 */
export type LogRequest = (finished: FinishedLogEntry) => void;

/**
 * The lines have pino's form but not its formatter: all have the same fields, and `JSON.stringify` writes them in a third
 * of the time (decision 0030).
 */
export function createRequestLog(
  log: Logger,
  destination: DestinationStream,
  secrets: HideInJson,
): LogRequest {
  return ({ arrival, summary, method, status, ms }) => {
    const level = status < 400 && probes.has(summary.operation) ? "debug" : "info";
    if (!log.isLevelEnabled(level)) return;
    // `JSON.stringify` leaves out fields that are undefined.
    const fields = {
      id: arrival.id,
      clientRequestId: arrival.clientRequestId,
      operation: summary.operation,
      caller: summary.caller?.id,
      callerName: summary.caller?.name,
      address: summary.address,
      // Most requests are interactive, and their lines stay short.
      priority: summary.bulk === undefined ? undefined : "bulk",
      model: summary.model,
      upstream: summary.upstream,
      attempts: summary.attempts,
      cache: summary.cache,
      tokensEstimated: summary.tokensEstimated,
      contentCredentials: summary.contentCredentials,
      errorCode: summary.errorCode,
      requestBytes: summary.requestBytes,
      responseBytes: summary.responseBytes,
      method,
      status,
      ms: Math.round(ms * 10) / 10,
      msg: "request",
    } satisfies Record<LoggedColumn, unknown> & Record<string, unknown>;
    const line = `{"level":"${level}"${pino.stdTimeFunctions.isoTime()},${JSON.stringify(fields).slice(1)}`;
    // In a line without these two, no text is a caller's or an upstream's.
    const isForeign = summary.errorCode !== undefined || arrival.clientRequestId !== undefined;
    destination.write(`${isForeign ? secrets.hideInJson(line) : line}\n`);
  };
}
