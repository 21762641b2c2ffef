import type { Handler } from "../../../execution/handler.js";
import { timeRange } from "../../documents/ledger-query.js";
import { type OwnKeyHandlerServices, ownKeyOf } from "../../documents/OwnKey.js";
import { describeOwnRequest } from "../../documents/RequestRecord.js";
import { hideModel, mayNameAs } from "../../own-models.js";

export function listOwnRequests({
  ledger,
  catalog,
}: Pick<OwnKeyHandlerServices, "ledger" | "catalog">): Handler<"listOwnRequests"> {
  return async ({ query, context }) => {
    const { limit = 100, cursor, failed, batch, job, ...times } = query;
    const key = ownKeyOf(context);
    const { items, nextCursor } = await ledger.list(
      {
        ...timeRange(times),
        keyId: key.id,
        ...(failed === undefined ? {} : { failed }),
        ...(batch === undefined ? {} : { batchId: batch }),
        ...(job === undefined ? {} : { jobId: job }),
      },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const mayName = mayNameAs(key, catalog);
    const data = items.map((row) => describeOwnRequest(hideModel(row, mayName)));
    return { body: { object: "list", data, next_cursor: nextCursor ?? null } };
  };
}
