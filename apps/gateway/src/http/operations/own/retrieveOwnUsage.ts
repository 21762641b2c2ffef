import { errorOf } from "../../../errors.js";
import type { Handler } from "../../handler.js";
import { timeRange } from "../../schemas/ledger-query.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../schemas/OwnKey.js";
import { describeTotals, describeUsageGroup } from "../../schemas/UsageGroup.js";

export function retrieveOwnUsage({
  ledger,
}: Pick<OwnKeyHandlerServices, "ledger">): Handler<"retrieveOwnUsage"> {
  return async ({ query, context }) => {
    const { group_by: groupBy = [], model, batch, ...times } = query;
    if (groupBy.includes("day") && groupBy.includes("hour"))
      throw errorOf("invalid_value", { param: "group_by", reason: "group by day or by hour, not by both" });
    const groups = await ledger.usage({
      groupBy,
      filter: {
        ...timeRange(times),
        keyId: ownKeyOf(context).id,
        ...(model === undefined ? {} : { model }),
        ...(batch === undefined ? {} : { batchId: batch }),
      },
    });
    const data = groups.map(describeUsageGroup);
    return { body: { object: "list", data, totals: describeTotals(groups), next_cursor: null } };
  };
}
