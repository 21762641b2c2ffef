import type { AccessKey } from "@model-gateway/domain/access-key";
import { errorOf } from "@model-gateway/domain/errors";
import type { Schemas } from "@model-gateway/domain/operations";
import type { Handler } from "../../execution/handler.js";
import type { LedgerStore, UsageGrouping } from "../../usage/ledger/ledger-store.js";
import { type Cell, writeCsv } from "../csv.js";
import { keysOf, usageRange } from "../documents/ledger-query.js";
import { describeTotals, describeUsageGroup } from "../documents/UsageGroup.js";

interface UsageHandlerServices {
  readonly ledger: LedgerStore;
  /** The configured keys. */
  readonly fileKeys: readonly AccessKey[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const steps = ["month", "day", "hour"] as const;

export function retrieveUsage({ ledger, fileKeys, now }: UsageHandlerServices): Handler<"retrieveUsage"> {
  return async ({ query, accepts }) => {
    const { group_by: groupBy = [], owner, key, model, operation, upstream, batch, ...others } = query;
    const { internal, ...times } = others;
    if (steps.filter((step) => groupBy.includes(step)).length > 1)
      throw errorOf("invalid_value", {
        param: "group_by",
        reason: "group by one of month, day and hour, not by several",
      });
    const groups = await ledger.usage({
      groupBy,
      fileOwners: fileKeys.flatMap(({ id, owner }) => (owner === undefined ? [] : [{ id, owner }])),
      filter: {
        ...usageRange(times, now()),
        ...(owner === undefined ? {} : { owner: keysOf(owner, fileKeys) }),
        ...(key === undefined ? {} : { keyId: key }),
        ...(internal === undefined ? {} : { isInternal: internal }),
        ...(model === undefined ? {} : { model }),
        ...(operation === undefined ? {} : { operation }),
        ...(upstream === undefined ? {} : { upstream }),
        ...(batch === undefined ? {} : { batchId: batch }),
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
    ...(steps.some((step) => groupBy.includes(step)) ? column("starts_at") : {}),
    ...(groupBy.includes("key") ? { ...column("key_id"), ...column("key_name") } : {}),
    ...(groupBy.includes("owner") ? column("owner") : {}),
    ...(groupBy.includes("model") ? column("model") : {}),
    ...(groupBy.includes("operation") ? column("operation") : {}),
    ...(groupBy.includes("upstream") ? column("upstream") : {}),
    ...(groupBy.includes("batch") ? column("batch_id") : {}),
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
