import { withoutUndefined } from "../../../domain/json.js";
import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeAdminBatch, pageOf } from "../../schemas/Batch.js";

/** The batches of all keys, for operators. */
export function listAllBatches({ batches }: BatchHandlerServices): Handler<"listAllBatches"> {
  return async ({ query: { limit = 20, after, key, status } }) => {
    const filter = withoutUndefined({ keyId: key, status });
    const found = await batches.list(filter, { limit, ...withoutUndefined({ after }) });
    return { body: pageOf(found.batches.map(describeAdminBatch), found.hasMore) };
  };
}
