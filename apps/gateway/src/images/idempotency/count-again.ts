import { GatewayError } from "../../errors.js";
import type { ImageOperation } from "../../operations.js";
import type { ImageJob } from "../call-upstream.js";
import type { Creation, StoredResponse } from "./response-store.js";

/** A job that remembers its upstream, for the description of what it has used. */
export function withCreation<K extends ImageOperation>(
  job: ImageJob<K>,
): { readonly job: ImageJob<K>; readonly describe: () => Creation } {
  let upstream: string | undefined;
  let attempts = 0;
  const { requestId, meter } = job;
  const onUpstream: ImageJob<K>["onUpstream"] = (name, count) => {
    upstream = name;
    attempts = count;
    job.onUpstream(name, count);
  };
  return {
    job: { ...job, onUpstream },
    describe: () => ({ requestId, upstream, attempts, used: meter.used }),
  };
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
  if (upstream !== undefined) job.onUpstream(upstream, attempts);
}
