import { viewerOf } from "@model-gateway/domain/record-owner";
import type { Handler } from "../../../execution/handler.js";
import {
  describeOneJob,
  type JobHandlerServices,
  readResult,
  retryHeaders,
  withImages,
  withProgress,
} from "../../documents/Job.js";
import { ownKeyOf } from "../../documents/OwnKey.js";
import { readPreferences } from "../../preferences.js";

/** Longer waits end here: proxies cut a silent connection after a minute or so. */
const waitSecondsMax = 60;

export function retrieveJob(services: JobHandlerServices): Handler<"retrieveJob"> {
  const { jobs } = services;
  return async ({ parameters: { job: id }, header, context }) => {
    const found = await jobs.find(id, viewerOf(ownKeyOf(context)));
    const { waitSeconds } = readPreferences(header("prefer"));
    const seconds = Math.min(waitSeconds ?? 0, waitSecondsMax);
    const waited = await jobs.wait(found, { ms: seconds * 1000, signal: context.signal });
    const { job, images } = await readResult(waited, jobs);
    const applied = waitSeconds === undefined ? {} : { "preference-applied": `wait=${seconds}` };
    const document = await describeOneJob(job, services);
    return {
      headers: { ...retryHeaders(job), ...applied },
      ...(images === undefined
        ? withProgress(document, await jobs.progressOf(job))
        : await withImages(document, "response", images)),
    };
  };
}
