import { viewerOf } from "@model-gateway/domain/record-owner";
import type { Handler } from "../../../execution/handler.js";
import { describeJobs, type JobHandlerServices } from "../../documents/Job.js";
import { ownKeyOf } from "../../documents/OwnKey.js";

export function listJobs(services: JobHandlerServices): Handler<"listJobs"> {
  return async ({ query: { limit = 100, cursor, status }, context }) => {
    const { items, nextCursor } = await services.jobs.list(
      { ...viewerOf(ownKeyOf(context)), ...(status && { status }) },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const data = await describeJobs(items, services);
    return { body: { object: "list", data, next_cursor: nextCursor ?? null } };
  };
}
