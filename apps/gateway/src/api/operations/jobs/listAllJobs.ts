import type { Handler } from "../../../execution/handler.js";
import { describeAdminJobs, type JobHandlerServices } from "../../documents/Job.js";

export function listAllJobs(services: JobHandlerServices): Handler<"listAllJobs"> {
  return async ({ query: { limit = 100, cursor, status, key: keyId } }) => {
    const { items, nextCursor } = await services.jobs.list(
      { ...(keyId === undefined ? {} : { keyId }), ...(status && { status }) },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const data = await describeAdminJobs(items, services);
    return { body: { object: "list", data, next_cursor: nextCursor ?? null } };
  };
}
