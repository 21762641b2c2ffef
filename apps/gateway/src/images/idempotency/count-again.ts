import { GatewayError } from "@model-gateway/domain/errors";
import type { ImageOperation } from "@model-gateway/domain/operations";
import { type ImageJob, noteUpstream } from "../call-upstream.js";
import type { Creation, StoredResponse } from "./response-store.js";

/** The usage of a job so far, for the store of its response. */
export function describeCreation<K extends ImageOperation>({
  requestId,
  meter,
  record: { upstream, attempts = 0 },
}: ImageJob<K>): Creation {
  return { requestId, upstream, attempts, used: meter.used };
}

/**
 * Counts what an earlier run of the same request has used: the process died after it had stored the response, and maybe
 * before its ledger row. Another request with the Idempotency-Key has used nothing.
 */
export async function countAgain<K extends ImageOperation>(
  job: ImageJob<K>,
  { creation }: StoredResponse,
): Promise<void> {
  if (creation === undefined || creation.requestId !== job.requestId) return;
  const { upstream, attempts, used } = creation;
  // It is spent, even if the budget would refuse it now.
  await job.meter.reserve().catch((failure: unknown) => {
    if (!(failure instanceof GatewayError)) throw failure;
  });
  job.meter.add(used);
  if (used.costNanos === null) job.meter.markCostUnknown();
  if (upstream !== undefined) noteUpstream(job.record, upstream, attempts);
}
