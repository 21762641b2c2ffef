import type { Handler } from "../../../execution/handler.js";
import { describeAdminJob, type JobHandlerServices } from "../../documents/Job.js";

export function cancelAnyJob(services: JobHandlerServices): Handler<"cancelAnyJob"> {
  return async ({ parameters: { job: id }, context }) => ({
    body: await describeAdminJob(await services.jobs.cancel(id, "operator", context.signal), services),
  });
}
