import { errorOf } from "@model-gateway/domain/errors";
import type { Handler } from "../../../execution/handler.js";
import { timeRange } from "../../documents/ledger-query.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../documents/OwnKey.js";
import { describeTotals, describeUsageGroup } from "../../documents/UsageGroup.js";
import { hideModels, mayNameAs } from "../../own-models.js";

export function retrieveOwnUsage({
  ledger,
  catalog,
}: Pick<OwnKeyHandlerServices, "ledger" | "catalog">): Handler<"retrieveOwnUsage"> {
  return async ({ query, context }) => {
    const { group_by: groupBy = [], model, batch, ...times } = query;
    if (groupBy.includes("day") && groupBy.includes("hour"))
      throw errorOf("invalid_value", { param: "group_by", reason: "group by day or by hour, not by both" });
    const key = ownKeyOf(context);
    const found = await ledger.usage({
      groupBy,
      filter: {
        ...timeRange(times),
        keyId: key.id,
        ...(model === undefined ? {} : { model }),
        ...(batch === undefined ? {} : { batchId: batch }),
      },
    });
    const groups = hideModels(found, mayNameAs(key, catalog), model);
    const data = groups.map(describeUsageGroup);
    return { body: { object: "list", data, totals: describeTotals(groups), next_cursor: null } };
  };
}
