import { GatewayError } from "../../errors.js";
import type { Schemas } from "../../operations.js";
import type { LedgerStore, UsageGroup, UsageGrouping } from "../../usage/ledger/ledger-store.js";
import type { Handler } from "../handler.js";
import { type Cell, writeCsv } from "../response/csv.js";
import { dollars, timeRange } from "../schemas/ledger-query.js";

export function retrieveUsage(ledger: LedgerStore): Handler<"retrieveUsage"> {
  return async ({ query: { group_by: groupBy = [], key, model, ...times }, accepts }) => {
    if (groupBy.includes("day") && groupBy.includes("hour"))
      throw new GatewayError("invalid_value", "Invalid 'group_by': group by day or by hour, not by both.", {
        param: "group_by",
      });
    const groups = await ledger.usage({
      groupBy,
      filter: {
        ...timeRange(times),
        ...(key === undefined ? {} : { keyId: key }),
        ...(model === undefined ? {} : { model }),
      },
    });
    const data = groups.map(describe);
    if (accepts("application/json", "text/csv") === "text/csv")
      return { contentType: "text/csv; charset=utf-8", text: writeCsv(columnsOf(groupBy), data) };
    return { body: { object: "list", data, next_cursor: null } };
  };
}

function describe(group: UsageGroup): Schemas["UsageGroup"] {
  const { startsAt, keyId, keyName, model, requests, unpriced } = group;
  return {
    object: "usage",
    ...(startsAt === undefined ? {} : { starts_at: startsAt / 1000 }),
    ...(keyId === undefined ? {} : { key_id: keyId }),
    ...(keyName === undefined ? {} : { key_name: keyName }),
    ...(model === undefined ? {} : { model }),
    requests,
    failed_requests: group.failures,
    input_tokens: group.inputTokens,
    output_tokens: group.outputTokens,
    images: group.images,
    // If no request has a known price, the sum is unknown and not 0.
    cost_usd: dollars(unpriced > 0 && unpriced === requests ? null : group.costNanos),
    unpriced_requests: unpriced,
  };
}

type Column = (group: Schemas["UsageGroup"]) => Cell;

function columnsOf(groupBy: readonly UsageGrouping[]): Record<string, Column> {
  const column = (name: Exclude<keyof Schemas["UsageGroup"], "object">): Record<string, Column> => ({
    [name]: (group) => group[name],
  });
  return {
    ...(groupBy.includes("day") || groupBy.includes("hour") ? column("starts_at") : {}),
    ...(groupBy.includes("key") ? { ...column("key_id"), ...column("key_name") } : {}),
    ...(groupBy.includes("model") ? column("model") : {}),
    ...column("requests"),
    ...column("failed_requests"),
    ...column("input_tokens"),
    ...column("output_tokens"),
    ...column("images"),
    ...column("cost_usd"),
    ...column("unpriced_requests"),
  };
}
