import { viewerOf } from "../../../domain/record-owner.js";
import type { Handler } from "../../handler.js";
import { describeJob, type JobHandlerServices } from "../../schemas/Job.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function listJobs({ jobs }: JobHandlerServices): Handler<"listJobs"> {
  return async ({ query: { limit = 100, cursor, status }, context }) => {
    const { items, nextCursor } = await jobs.list(
      { ...viewerOf(ownKeyOf(context)), ...(status && { status }) },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    return { body: { object: "list", data: items.map(describeJob), next_cursor: nextCursor ?? null } };
  };
}
