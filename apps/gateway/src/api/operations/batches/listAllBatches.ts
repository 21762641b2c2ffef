import { withoutUndefined } from "@model-gateway/runtime/json";
import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeAdminBatches, pageOf } from "../../documents/Batch.js";

/** The batches of all keys, for operators. */
export function listAllBatches(services: BatchHandlerServices): Handler<"listAllBatches"> {
  return async ({ query: { limit = 20, after, key, status } }) => {
    const filter = withoutUndefined({ keyId: key, status });
    const found = await services.batches.list(filter, { limit, ...withoutUndefined({ after }) });
    return { body: pageOf(await describeAdminBatches(found.batches, services), found.hasMore) };
  };
}
