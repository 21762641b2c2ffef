import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeAdminBatch } from "../../documents/Batch.js";

export function retrieveAnyBatch(services: BatchHandlerServices): Handler<"retrieveAnyBatch"> {
  return async ({ parameters: { batch } }) => ({
    body: await describeAdminBatch(await services.batches.retrieve(batch, "operator"), services),
  });
}
