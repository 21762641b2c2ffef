import type { OperationId } from "../operations.js";
import type { Metrics } from "../telemetry/metrics.js";
import type { LedgerRow } from "../usage/ledger-row.js";
import type { Used } from "../usage/tab.js";
import type { RequestContext } from "./request-context.js";

/** Where it is kept what became of requests. */
export interface Accounts {
  /** Resolves when the row is safe. */
  readonly record: (row: LedgerRow) => Promise<void>;
  readonly metrics: Pick<Metrics, "begin" | "end">;
}

/** What a caller pays for, and so has a row in the ledger. */
const paid: ReadonlySet<OperationId> = new Set<OperationId>([
  "createEmbedding",
  "createEmbeddingLegacy",
  "createImage",
  "createImageEdit",
]);

const nothingUsed: Used = { inputTokens: 0, outputTokens: 0, images: 0, costNanos: 0 };

/**
 * Settles what a request has used, and writes its row. It is done once, and over before the last byte of the answer is
 * written: whoever has the whole answer can be sure that it stands in the ledger.
 */
export function finishRequest(
  context: RequestContext,
  status: number,
  ms: number,
  accounts: Accounts,
): Promise<void> | undefined {
  if (context.isFinished) return undefined;
  context.isFinished = true;
  const { key, operation } = context;
  const used = context.tab?.close({ isAbandoned: status === 499 }) ?? nothingUsed;
  const row: FinishedRow = {
    id: context.id,
    at: context.arrivedAt,
    keyId: key?.id ?? "",
    keyName: key?.name ?? "",
    operation: operation ?? null,
    model: context.model ?? null,
    upstream: context.upstream ?? null,
    attempts: context.attempts ?? 0,
    status,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    images: used.images,
    costNanos: used.costNanos,
    ms: Math.round(ms * 10) / 10,
    requestBytes: context.requestBytes,
    responseBytes: context.responseBytes,
    cache: context.cache ?? null,
    errorCode: context.errorCode ?? null,
  };
  const recorded = key !== undefined && isPaid(row) ? accounts.record(row) : undefined;
  if (operation === undefined) accounts.metrics.begin(null);
  accounts.metrics.end(row);
  context.trace.end(row);
  return recorded;
}

/** A row of the ledger, or what would be one if it were paid for. */
type FinishedRow = Omit<LedgerRow, "operation"> & { readonly operation: OperationId | null };

function isPaid(row: FinishedRow): row is LedgerRow {
  return row.operation !== null && paid.has(row.operation);
}
