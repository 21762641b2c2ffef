import { viewerOf } from "@model-gateway/domain/record-owner";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { Handler } from "../../../execution/handler.js";
import { type BatchHandlerServices, describeBatches, pageOf } from "../../documents/Batch.js";
import { ownKeyOf } from "../../documents/OwnKey.js";

export function listBatches(services: BatchHandlerServices): Handler<"listBatches"> {
  return async ({ query: { limit = 20, after, status }, context }) => {
    const page = { limit, ...withoutUndefined({ after }) };
    const filter = { ...viewerOf(ownKeyOf(context)), ...withoutUndefined({ status }) };
    const found = await services.batches.list(filter, page);
    return { body: pageOf(await describeBatches(found.batches, services), found.hasMore) };
  };
}
