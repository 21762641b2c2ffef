import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeBatch } from "../../documents/Batch.js";
import { ownKeyOf } from "../../documents/OwnKey.js";

export function createBatch(services: BatchHandlerServices): Handler<"createBatch"> {
  return async ({ body, context }) => {
    const { origin } = context;
    const created = await services.batches.create(body, { key: ownKeyOf(context), origin });
    return { body: await describeBatch(created, services) };
  };
}
