import type { RequestsQuery } from "../../operations/listRequests.js";
import { type UsageQuery, useRetrieveUsage } from "../../operations/retrieveUsage.js";
import { formatCount } from "../../parts/format.js";
import { boundsOf, describeRange, spanRange, type TimeRange } from "../time-range.js";
import { isSpan } from "../time-span.js";

/**
 * How many requests fit, in words. The sums of usage have it: counting the requests themselves would read the whole ledger.
 * Undefined if no sum has it, or while it is not known.
 *
 * @param chosen The time that is chosen, if one is. Otherwise the last 24 hours are counted.
 */
export function useRequestTotal(query: RequestsQuery, chosen: TimeRange | undefined): string | undefined {
  const range = chosen ?? spanRange("24h", Date.now());
  const question = usageQuestion({ ...query, ...boundsOf(range) });
  const { data } = useRetrieveUsage(question ?? {}, { isEnabled: question !== undefined });
  if (data === undefined || question === undefined) return undefined;
  const { requests, failed_requests } = data.totals;
  const fitting =
    query.failed === undefined ? requests : query.failed ? failed_requests : requests - failed_requests;
  const words = describeRange(range);
  return `${formatCount(fitting)} in ${isSpan(range.name) ? `the ${words.toLowerCase()}` : words}`;
}

/** The same filters as a question about usage. */
export function usageQuestion(query: RequestsQuery): UsageQuery | undefined {
  const { limit: _limit, failed: _failed, ...filters } = query;
  const { has_model, error_code, cache, min_duration_ms, job, recovered, recovered_from, ...summed } =
    filters;
  const unsummed = [has_model, error_code, cache, min_duration_ms, job, recovered, recovered_from];
  return unsummed.every((value) => value === undefined) ? summed : undefined;
}
