import { viewerOf } from "@model-gateway/domain/record-owner";
import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeBatch } from "../../documents/Batch.js";
import { ownKeyOf } from "../../documents/OwnKey.js";

export function cancelBatch(services: BatchHandlerServices): Handler<"cancelBatch"> {
  return async ({ parameters: { batch }, context }) => {
    const found = await services.batches.cancel(batch, viewerOf(ownKeyOf(context)));
    return { body: await describeBatch(found, services) };
  };
}
