import { viewerOf } from "../../../domain/record-owner.js";
import type { Handler } from "../../handler.js";
import { describeJob, type JobHandlerServices } from "../../schemas/Job.js";
import { ownKeyOf } from "../../schemas/OwnKey.js";

export function cancelJob({ jobs }: JobHandlerServices): Handler<"cancelJob"> {
  return async ({ parameters: { job: id }, context }) => ({
    body: describeJob(await jobs.cancel(id, viewerOf(ownKeyOf(context)), context.signal)),
  });
}
