import type { Handler } from "../../handler.js";
import { timeRange } from "../../schemas/ledger-query.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../schemas/OwnKey.js";
import { describeOwnRequest } from "../../schemas/RequestRecord.js";

export function listOwnRequests({
  ledger,
}: Pick<OwnKeyHandlerServices, "ledger">): Handler<"listOwnRequests"> {
  return async ({ query, context }) => {
    const { limit = 100, cursor, failed, batch, job, ...times } = query;
    const { items, nextCursor } = await ledger.list(
      {
        ...timeRange(times),
        keyId: ownKeyOf(context).id,
        ...(failed === undefined ? {} : { failed }),
        ...(batch === undefined ? {} : { batchId: batch }),
        ...(job === undefined ? {} : { jobId: job }),
      },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    return {
      body: { object: "list", data: items.map(describeOwnRequest), next_cursor: nextCursor ?? null },
    };
  };
}
