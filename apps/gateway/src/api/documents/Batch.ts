import type { Schemas } from "@model-gateway/domain/operations";
import { recordableName } from "@model-gateway/domain/request-failure";
import { type Batch, type BatchFault, hasEnded } from "../../batches/batch.js";
import type { BatchService } from "../../batches/batch-service.js";
import type { NameKeys } from "../../keys/name-keys.js";
import type { BatchSpending, LedgerStore } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";

export interface BatchHandlerServices {
  readonly batches: BatchService;
  readonly ledger: Pick<LedgerStore, "spentByBatch">;
  readonly nameKeys: NameKeys;
}

/** Batches as the spec describes them. Their costs are read in one query. */
export async function describeBatches(
  batches: readonly Batch[],
  { ledger }: Pick<BatchHandlerServices, "ledger">,
): Promise<Schemas["Batch"][]> {
  const spent = await ledger.spentByBatch(batches.map(({ id }) => id));
  return batches.map((batch) => describe(batch, spent.get(batch.id)));
}

export async function describeBatch(
  batch: Batch,
  services: Pick<BatchHandlerServices, "ledger">,
): Promise<Schemas["Batch"]> {
  const [described] = await describeBatches([batch], services);
  return described as Schemas["Batch"];
}

/** The same for an operator: with the keys, and without messages that quote a file. */
export async function describeAdminBatches(
  batches: readonly Batch[],
  services: BatchHandlerServices,
): Promise<Schemas["AdminBatch"][]> {
  const [described, labelOf] = await Promise.all([
    describeBatches(batches, services),
    services.nameKeys(batches.map(({ keyId }) => keyId)),
  ]);
  return batches.map((batch, index) => ({
    ...(described[index] as Schemas["Batch"]),
    errors: describeFaults(batch, ({ param, message, operatorMessage = message, ...fault }) => ({
      ...fault,
      message: operatorMessage,
      param: param && recordableName(param),
    })),
    key_id: batch.keyId,
    key_name: batch.keyName,
    key_owner: labelOf(batch.keyId).owner,
  }));
}

export async function describeAdminBatch(
  batch: Batch,
  services: BatchHandlerServices,
): Promise<Schemas["AdminBatch"]> {
  const [described] = await describeAdminBatches([batch], services);
  return described as Schemas["AdminBatch"];
}

/** @param spent Undefined for a batch without a request. */
function describe(batch: Batch, spent: BatchSpending | undefined): Schemas["Batch"] {
  const { status, counts, tokens, endedAt } = batch;
  const isOver = hasEnded(batch);
  const endedAs = (end: Batch["status"]) => (status === end ? seconds(endedAt) : null);
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model: batch.model,
    errors: describeFaults(batch, ({ operatorMessage: _, ...fault }) => fault),
    input_file_id: batch.inputFileId,
    completion_window: "24h",
    status,
    // Until the batch has ended, the files may be replaced.
    output_file_id: isOver ? batch.outputFileId : null,
    error_file_id: isOver ? batch.errorFileId : null,
    created_at: Math.floor(batch.createdAt / 1000),
    in_progress_at: seconds(batch.inProgressAt),
    expires_at: Math.floor(batch.expiresAt / 1000),
    finalizing_at: seconds(batch.finalizingAt),
    completed_at: endedAs("completed"),
    failed_at: endedAs("failed"),
    expired_at: endedAs("expired"),
    cancelling_at: seconds(batch.cancellingAt),
    cancelled_at: endedAs("cancelled"),
    request_counts: { ...counts },
    usage: {
      input_tokens: tokens.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokens.input + tokens.output,
    },
    ...describeSpending(spent),
    metadata: batch.metadata && { ...batch.metadata },
  };
}

function describeFaults(
  { faults }: Pick<Batch, "faults">,
  describe: (fault: BatchFault) => Schemas["BatchFault"],
): Schemas["Batch"]["errors"] {
  return faults && { object: "list", data: faults.map(describe) };
}

/** If no line has a known price, the sum is unknown and not 0. */
function describeSpending(
  spent: BatchSpending | undefined,
): Pick<Schemas["Batch"], "cost_usd" | "unpriced_requests"> {
  const { requests, costNanos, unpriced } = spent ?? { requests: 0, costNanos: 0, unpriced: 0 };
  const isUnknown = unpriced > 0 && unpriced === requests;
  return { cost_usd: dollars(isUnknown ? null : costNanos), unpriced_requests: unpriced };
}

/** A page of a list, as OpenAI clients read it. */
export function pageOf<T extends { readonly id: string }>(data: T[], hasMore: boolean) {
  return {
    object: "list" as const,
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}
