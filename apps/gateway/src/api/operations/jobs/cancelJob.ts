import { viewerOf } from "@model-gateway/domain/record-owner";
import type { Handler } from "../../../execution/handler.js";
import { describeOneJob, type JobHandlerServices } from "../../documents/Job.js";
import { ownKeyOf } from "../../documents/OwnKey.js";

export function cancelJob(services: JobHandlerServices): Handler<"cancelJob"> {
  return async ({ parameters: { job: id }, context }) => {
    const job = await services.jobs.cancel(id, viewerOf(ownKeyOf(context)), context.signal);
    return { body: await describeOneJob(job, services) };
  };
}
