import type { Handler } from "../../handler.js";
import { describeJob, type JobHandlerServices } from "../../schemas/Job.js";

export function retrieveAnyJob({ jobs }: JobHandlerServices): Handler<"retrieveAnyJob"> {
  return async ({ parameters: { job: id } }) => ({ body: describeJob(await jobs.find(id, "operator")) });
}
