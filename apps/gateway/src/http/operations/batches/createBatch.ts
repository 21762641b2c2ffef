import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeBatch } from "../../schemas/Batch.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function createBatch({ batches }: BatchHandlerServices): Handler<"createBatch"> {
  return async ({ body, context }) => {
    const { origin } = context;
    return { body: describeBatch(await batches.create(body, { key: ownKeyOf(context), origin })) };
  };
}
