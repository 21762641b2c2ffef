import type { AccessKey } from "../../domain/access-key.js";
import { errorOf } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import type { LedgerStore, UsageGrouping } from "../../usage/ledger/ledger-store.js";
import type { Handler } from "../handler.js";
import { type Cell, writeCsv } from "../response/csv.js";
import { timeRange } from "../schemas/ledger-query.js";
import { describeTotals, describeUsageGroup } from "../schemas/UsageGroup.js";

export interface UsageHandlerServices {
  readonly ledger: LedgerStore;
  /** The configured keys. */
  readonly fileKeys: readonly AccessKey[];
}

export function retrieveUsage({ ledger, fileKeys }: UsageHandlerServices): Handler<"retrieveUsage"> {
  return async ({ query, accepts }) => {
    const { group_by: groupBy = [], key, model, operation, upstream, ...times } = query;
    if (groupBy.includes("day") && groupBy.includes("hour"))
      throw errorOf("invalid_value", { param: "group_by", reason: "group by day or by hour, not by both" });
    const groups = await ledger.usage({
      groupBy,
      fileOwners: fileKeys.flatMap(({ id, owner }) => (owner === undefined ? [] : [{ id, owner }])),
      filter: {
        ...timeRange(times),
        ...(key === undefined ? {} : { keyId: key }),
        ...(model === undefined ? {} : { model }),
        ...(operation === undefined ? {} : { operation }),
        ...(upstream === undefined ? {} : { upstream }),
      },
    });
    const data = groups.map(describeUsageGroup);
    if (accepts("application/json", "text/csv") === "text/csv")
      return { contentType: "text/csv; charset=utf-8", text: writeCsv(columnsOf(groupBy), data) };
    return { body: { object: "list", data, totals: describeTotals(groups), next_cursor: null } };
  };
}

type UsageColumn = (group: Schemas["UsageGroup"]) => Cell;

function columnsOf(groupBy: readonly UsageGrouping[]): Record<string, UsageColumn> {
  const column = (name: Exclude<keyof Schemas["UsageGroup"], "object">): Record<string, UsageColumn> => ({
    [name]: (group) => group[name],
  });
  return {
    ...(groupBy.includes("day") || groupBy.includes("hour") ? column("starts_at") : {}),
    ...(groupBy.includes("key") ? { ...column("key_id"), ...column("key_name") } : {}),
    ...(groupBy.includes("owner") ? column("owner") : {}),
    ...(groupBy.includes("model") ? column("model") : {}),
    ...(groupBy.includes("operation") ? column("operation") : {}),
    ...(groupBy.includes("upstream") ? column("upstream") : {}),
    ...column("requests"),
    ...column("failed_requests"),
    ...column("input_tokens"),
    ...column("output_tokens"),
    ...column("images"),
    ...column("cost_usd"),
    ...column("unpriced_requests"),
    ...column("duration_p50_ms"),
    ...column("duration_p95_ms"),
    ...column("duration_p99_ms"),
    ...column("cached_inputs"),
    ...column("saved_usd"),
  };
}
