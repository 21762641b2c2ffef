import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeAdminBatch } from "../../schemas/Batch.js";

export function cancelAnyBatch({ batches }: BatchHandlerServices): Handler<"cancelAnyBatch"> {
  return async ({ parameters: { batch } }) => ({
    body: describeAdminBatch(await batches.cancel(batch, "operator")),
  });
}
