import { isContentCredentials } from "../../domain/content-credentials.js";
import { areFailedAttempts, isRequestFailure } from "../../domain/request-failure.js";
import type { LedgerRow } from "./ledger-store.js";

/** The version of the columns. A change of columns gets a new number. */
const format = 1;
const columnCount = 27;

/** A row as a JSON line. An array takes half the time and half the bytes of an object. */
export function writeLine(row: LedgerRow): string {
  return `${JSON.stringify([
    format,
    row.id,
    row.at,
    row.keyId,
    row.keyName,
    row.operation,
    row.model,
    row.upstream,
    row.attempts,
    row.status,
    row.inputTokens,
    row.outputTokens,
    row.images,
    row.costNanos,
    row.ms,
    row.requestBytes,
    row.responseBytes,
    row.cache,
    row.errorCode,
    row.tokensEstimated ? 1 : 0,
    row.cachedInputs,
    row.savedNanos,
    row.failure,
    row.contentCredentials,
    row.batchId,
    row.jobId,
    row.failedAttempts,
    row.estimatedNanos,
  ])}\n`;
}

/** Undefined if the line is not a complete row: a torn write, damage on the disk, or another format. */
export function readLine(line: string): LedgerRow | undefined {
  const list = parse(line);
  if (!Array.isArray(list) || list[0] !== format || list.length !== columnCount + 1) return undefined;
  const row = {
    id: list[1],
    at: list[2],
    keyId: list[3],
    keyName: list[4],
    operation: list[5],
    model: list[6],
    upstream: list[7],
    attempts: list[8],
    status: list[9],
    inputTokens: list[10],
    outputTokens: list[11],
    images: list[12],
    costNanos: list[13],
    ms: list[14],
    requestBytes: list[15],
    responseBytes: list[16],
    cache: list[17],
    errorCode: list[18],
    tokensEstimated: flagOf(list[19]),
    cachedInputs: list[20],
    savedNanos: list[21],
    failure: list[22],
    contentCredentials: list[23],
    batchId: list[24],
    jobId: list[25],
    failedAttempts: list[26],
    estimatedNanos: list[27],
  } satisfies Record<keyof LedgerRow, unknown>;
  return isRow(row) ? row : undefined;
}

/** Written out for speed: every row passes here. */
function isRow(row: Record<keyof LedgerRow, unknown>): row is LedgerRow & Record<keyof LedgerRow, unknown> {
  return (
    isText(row.id) &&
    isNumber(row.at) &&
    isText(row.keyId) &&
    isText(row.keyName) &&
    isText(row.operation) &&
    isTextOrNull(row.model) &&
    isTextOrNull(row.upstream) &&
    isNumber(row.attempts) &&
    isNumber(row.status) &&
    isNumber(row.inputTokens) &&
    isNumber(row.outputTokens) &&
    isNumber(row.images) &&
    isNumberOrNull(row.costNanos) &&
    isNumber(row.estimatedNanos) &&
    isNumber(row.ms) &&
    isNumber(row.requestBytes) &&
    isNumber(row.responseBytes) &&
    isTextOrNull(row.cache) &&
    isTextOrNull(row.errorCode) &&
    typeof row.tokensEstimated === "boolean" &&
    isNumber(row.cachedInputs) &&
    isNumberOrNull(row.savedNanos) &&
    (row.failure === null || isRequestFailure(row.failure)) &&
    (row.failedAttempts === null || areFailedAttempts(row.failedAttempts)) &&
    isTextOrNull(row.batchId) &&
    isTextOrNull(row.jobId) &&
    (row.contentCredentials === null || isContentCredentials(row.contentCredentials))
  );
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** 0 or 1: one byte, where `false` has five. */
function flagOf(value: unknown): boolean | undefined {
  return value === 0 || value === 1 ? value === 1 : undefined;
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

/** JSON can hold a number that is too large: it reads as infinite, and no sum with it would be right. */
function isNumber(value: unknown): boolean {
  return Number.isFinite(value);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value);
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || isNumber(value);
}
