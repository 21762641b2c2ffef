import type { Handler } from "../../handler.js";
import { describeJob, type JobHandlerServices } from "../../schemas/Job.js";

export function listAllJobs({ jobs }: JobHandlerServices): Handler<"listAllJobs"> {
  return async ({ query: { limit = 100, cursor, status, key: keyId } }) => {
    const { items, nextCursor } = await jobs.list(
      { ...(keyId === undefined ? {} : { keyId }), ...(status && { status }) },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    return { body: { object: "list", data: items.map(describeJob), next_cursor: nextCursor ?? null } };
  };
}
