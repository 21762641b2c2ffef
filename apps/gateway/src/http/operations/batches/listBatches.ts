import { withoutUndefined } from "../../../domain/json.js";
import { viewerOf } from "../../../domain/record-owner.js";
import type { Handler } from "../../handler.js";
import { type BatchHandlerServices, describeBatch, pageOf } from "../../schemas/Batch.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function listBatches({ batches }: BatchHandlerServices): Handler<"listBatches"> {
  return async ({ query: { limit = 20, after }, context }) => {
    const page = { limit, ...withoutUndefined({ after }) };
    const found = await batches.list(viewerOf(ownKeyOf(context)), page);
    return { body: pageOf(found.batches.map(describeBatch), found.hasMore) };
  };
}
