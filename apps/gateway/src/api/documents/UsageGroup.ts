import { addHistograms, percentileMs } from "@model-gateway/domain/duration-histogram";
import type { Schemas } from "@model-gateway/domain/operations";
import type { UsageGroup } from "../../usage/ledger/ledger-store.js";
import { dollars } from "./ledger-query.js";

/** One group of a usage report, as the spec describes it. */
export function describeUsageGroup(group: UsageGroup): Schemas["UsageGroup"] {
  const { startsAt, keyId, keyName, owner, model, operation, upstream, batchId } = group;
  return {
    object: "usage",
    ...(startsAt === undefined ? {} : { starts_at: startsAt / 1000 }),
    ...(keyId === undefined ? {} : { key_id: keyId }),
    ...(keyName === undefined ? {} : { key_name: keyName }),
    ...(owner === undefined ? {} : { owner }),
    ...(model === undefined ? {} : { model }),
    ...(operation === undefined ? {} : { operation }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(batchId === undefined ? {} : { batch_id: batchId }),
    ...describeSums(group),
  };
}

export function describeTotals(groups: readonly UsageGroup[]): Schemas["UsageTotals"] {
  const sum = (of: (group: UsageGroup) => number) => groups.reduce((total, group) => total + of(group), 0);
  return describeSums({
    requests: sum(({ requests }) => requests),
    failures: sum(({ failures }) => failures),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    images: sum(({ images }) => images),
    costNanos: sum(({ costNanos }) => costNanos),
    unpriced: sum(({ unpriced }) => unpriced),
    cachedInputs: sum(({ cachedInputs }) => cachedInputs),
    savedNanos: sumSaved(groups),
    durations: addHistograms(groups.map(({ durations }) => durations)),
  });
}

/** If no saving is known although something was cached, the sum is unknown and not 0. */
function sumSaved(groups: readonly UsageGroup[]): number | null {
  const cached = groups.filter(({ cachedInputs }) => cachedInputs > 0);
  const known = cached.flatMap(({ savedNanos }) => savedNanos ?? []);
  if (cached.length > 0 && known.length === 0) return null;
  return known.reduce((total, nanos) => total + nanos, 0);
}

function describeSums(sums: UsageGroup): Schemas["UsageTotals"] {
  const { requests, unpriced, durations } = sums;
  return {
    requests,
    failed_requests: sums.failures,
    input_tokens: sums.inputTokens,
    output_tokens: sums.outputTokens,
    images: sums.images,
    // If no request has a known price, the sum is unknown and not 0.
    cost_usd: dollars(unpriced > 0 && unpriced === requests ? null : sums.costNanos),
    unpriced_requests: unpriced,
    duration_p50_ms: percentileMs(durations, 0.5),
    duration_p95_ms: percentileMs(durations, 0.95),
    duration_p99_ms: percentileMs(durations, 0.99),
    cached_inputs: sums.cachedInputs,
    saved_usd: dollars(sums.savedNanos),
  };
}
