import type { Handler } from "../../handler.js";
import { describeJob, type JobHandlerServices } from "../../schemas/Job.js";

export function cancelAnyJob({ jobs }: JobHandlerServices): Handler<"cancelAnyJob"> {
  return async ({ parameters: { job: id }, context }) => ({
    body: describeJob(await jobs.cancel(id, "operator", context.signal)),
  });
}
