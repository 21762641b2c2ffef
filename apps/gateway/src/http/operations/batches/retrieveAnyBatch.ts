import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeAdminBatch } from "../../schemas/Batch.js";

export function retrieveAnyBatch({ batches }: BatchHandlerServices): Handler<"retrieveAnyBatch"> {
  return async ({ parameters: { batch } }) => ({
    body: describeAdminBatch(await batches.retrieve(batch, "operator")),
  });
}
