import type { Handler } from "../../../execution/handler.js";
import { describeAdminJob, type JobHandlerServices } from "../../documents/Job.js";

export function retrieveAnyJob(services: JobHandlerServices): Handler<"retrieveAnyJob"> {
  return async ({ parameters: { job: id } }) => ({
    body: await describeAdminJob(await services.jobs.find(id, "operator"), services),
  });
}
