// Written by `npm run build` from ../ledger-columns.ts. Do not edit.

import { ledgerColumns, ledgerFormat, type StoredValues } from "../ledger-columns.js";
import type { LedgerRow } from "../ledger-store.js";

export function toLine(row: LedgerRow): unknown[] {
  return [
    ledgerFormat,
    row.id,
    row.at,
    row.keyId,
    row.keyName,
    row.owner,
    row.operation,
    row.model,
    row.upstream,
    row.attempts,
    row.status,
    row.inputTokens,
    row.outputTokens,
    row.images,
    row.costNanos,
    row.estimatedNanos,
    row.ms,
    row.requestBytes,
    row.responseBytes,
    row.cache,
    row.errorCode,
    row.tokensEstimated ? 1 : 0,
    row.cachedInputs,
    row.savedNanos,
    row.contentCredentials,
    row.batchId,
    row.jobId,
    row.failure,
    row.failedAttempts,
  ];
}

/** Undefined if the list is not a row. */
export function fromLine(list: readonly unknown[]): LedgerRow | undefined {
  if (list[0] !== ledgerFormat || list.length !== 29) return undefined;
  const row = {
    id: list[1],
    at: list[2],
    keyId: list[3],
    keyName: list[4],
    owner: list[5],
    operation: list[6],
    model: list[7],
    upstream: list[8],
    attempts: list[9],
    status: list[10],
    inputTokens: list[11],
    outputTokens: list[12],
    images: list[13],
    costNanos: list[14],
    estimatedNanos: list[15],
    ms: list[16],
    requestBytes: list[17],
    responseBytes: list[18],
    cache: list[19],
    errorCode: list[20],
    tokensEstimated: list[21] === 0 || list[21] === 1 ? list[21] === 1 : undefined,
    cachedInputs: list[22],
    savedNanos: list[23],
    contentCredentials: list[24],
    batchId: list[25],
    jobId: list[26],
    failure: list[27],
    failedAttempts: list[28],
  };
  const isRow =
    typeof row.id === "string" &&
    Number.isFinite(row.at) &&
    typeof row.keyId === "string" &&
    typeof row.keyName === "string" &&
    (row.owner === null || typeof row.owner === "string") &&
    ledgerColumns.operation.check(row.operation) &&
    (row.model === null || typeof row.model === "string") &&
    (row.upstream === null || typeof row.upstream === "string") &&
    Number.isFinite(row.attempts) &&
    Number.isFinite(row.status) &&
    Number.isFinite(row.inputTokens) &&
    Number.isFinite(row.outputTokens) &&
    Number.isFinite(row.images) &&
    (row.costNanos === null || Number.isFinite(row.costNanos)) &&
    Number.isFinite(row.estimatedNanos) &&
    Number.isFinite(row.ms) &&
    Number.isFinite(row.requestBytes) &&
    Number.isFinite(row.responseBytes) &&
    (row.cache === null || ledgerColumns.cache.check(row.cache)) &&
    (row.errorCode === null || typeof row.errorCode === "string") &&
    typeof row.tokensEstimated === "boolean" &&
    Number.isFinite(row.cachedInputs) &&
    (row.savedNanos === null || Number.isFinite(row.savedNanos)) &&
    (row.contentCredentials === null || ledgerColumns.contentCredentials.check(row.contentCredentials)) &&
    (row.batchId === null || typeof row.batchId === "string") &&
    (row.jobId === null || typeof row.jobId === "string") &&
    (row.failure === null || ledgerColumns.failure.check(row.failure)) &&
    (row.failedAttempts === null || ledgerColumns.failedAttempts.check(row.failedAttempts));
  return isRow ? (row as LedgerRow) : undefined;
}

/** @param write Makes a text storable. */
export function toColumns(row: LedgerRow, write: (text: string) => string) {
  return {
    id: write(row.id),
    at: Number.isFinite(row.at) ? Math.round(row.at) : 0,
    key_id: write(row.keyId),
    key_name: write(row.keyName),
    owner: row.owner === null ? null : write(row.owner),
    operation: row.operation,
    model: row.model === null ? null : write(row.model),
    upstream: row.upstream === null ? null : write(row.upstream),
    attempts: Number.isFinite(row.attempts) ? Math.round(row.attempts) : 0,
    status: Number.isFinite(row.status) ? Math.round(row.status) : 0,
    input_tokens: Number.isFinite(row.inputTokens) ? Math.round(row.inputTokens) : 0,
    output_tokens: Number.isFinite(row.outputTokens) ? Math.round(row.outputTokens) : 0,
    images: Number.isFinite(row.images) ? Math.round(row.images) : 0,
    cost_nanos: row.costNanos === null ? null : Number.isFinite(row.costNanos) ? Math.round(row.costNanos) : 0,
    estimated_nanos: Number.isFinite(row.estimatedNanos) ? Math.round(row.estimatedNanos) : 0,
    ms: Number.isFinite(row.ms) ? row.ms : 0,
    request_bytes: Number.isFinite(row.requestBytes) ? Math.round(row.requestBytes) : 0,
    response_bytes: Number.isFinite(row.responseBytes) ? Math.round(row.responseBytes) : 0,
    cache: row.cache,
    error_code: row.errorCode === null ? null : write(row.errorCode),
    tokens_estimated: row.tokensEstimated ? 1 : 0,
    cached_inputs: Number.isFinite(row.cachedInputs) ? Math.round(row.cachedInputs) : 0,
    saved_nanos: row.savedNanos === null ? null : Number.isFinite(row.savedNanos) ? Math.round(row.savedNanos) : 0,
    content_credentials: row.contentCredentials,
    batch_id: row.batchId === null ? null : write(row.batchId),
    job_id: row.jobId === null ? null : write(row.jobId),
    failure: row.failure === null ? null : JSON.stringify(row.failure),
    failed_attempts: row.failedAttempts === null ? null : JSON.stringify(row.failedAttempts),
  };
}

type ReadJson = <Value>(json: string, check: (value: unknown) => value is Value) => Value | null;

/** @param readJson Returns null for a value of another form. */
export function fromColumns(row: StoredValues, readJson: ReadJson): LedgerRow {
  return {
    id: row.id,
    at: row.at,
    keyId: row.key_id,
    keyName: row.key_name,
    owner: row.owner,
    operation: row.operation,
    model: row.model,
    upstream: row.upstream,
    attempts: row.attempts,
    status: row.status,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    images: row.images,
    costNanos: row.cost_nanos,
    estimatedNanos: row.estimated_nanos,
    ms: row.ms,
    requestBytes: row.request_bytes,
    responseBytes: row.response_bytes,
    cache: row.cache,
    errorCode: row.error_code,
    tokensEstimated: row.tokens_estimated === 1,
    cachedInputs: row.cached_inputs,
    savedNanos: row.saved_nanos,
    contentCredentials: row.content_credentials,
    batchId: row.batch_id,
    jobId: row.job_id,
    failure: row.failure === null ? null : readJson(row.failure, ledgerColumns.failure.check),
    failedAttempts: row.failed_attempts === null ? null : readJson(row.failed_attempts, ledgerColumns.failedAttempts.check),
  };
}
