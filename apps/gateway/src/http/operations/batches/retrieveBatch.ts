import { viewerOf } from "../../../domain/record-owner.js";
import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeBatch } from "../../schemas/Batch.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function retrieveBatch({ batches }: BatchHandlerServices): Handler<"retrieveBatch"> {
  return async ({ parameters: { batch }, context }) => ({
    body: describeBatch(await batches.retrieve(batch, viewerOf(ownKeyOf(context)))),
  });
}
