import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeBatch } from "../../schemas/Batch.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function createBatch(services: BatchHandlerServices): Handler<"createBatch"> {
  return async ({ body, context }) => {
    const { origin } = context;
    const created = await services.batches.create(body, { key: ownKeyOf(context), origin });
    return { body: await describeBatch(created, services) };
  };
}
