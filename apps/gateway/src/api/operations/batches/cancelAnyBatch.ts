import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeAdminBatch } from "../../documents/Batch.js";

export function cancelAnyBatch(services: BatchHandlerServices): Handler<"cancelAnyBatch"> {
  return async ({ parameters: { batch } }) => ({
    body: await describeAdminBatch(await services.batches.cancel(batch, "operator"), services),
  });
}
