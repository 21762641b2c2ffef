import { viewerOf } from "@model-gateway/domain/record-owner";
import type { ChunkedResponse, Handlers } from "../../execution/handler.js";
import type { RequestContext } from "../../execution/request-context.js";
import { isFinal, type Job } from "../../jobs/job.js";
import { createJob } from "../accept-job.js";
import { describeAsyncImageJob } from "../documents/AsyncImageJob.js";
import { type JobHandlerServices, readResult, withImages } from "../documents/Job.js";
import { ownKeyOf } from "../documents/OwnKey.js";
import { imageRequest } from "./createImage.js";
import { type ImageEditHandlerServices, imageEditRequest } from "./createImageEdit.js";

type AsyncImageServices = ImageEditHandlerServices & JobHandlerServices;

/** The paths of Bifrost's asynchronous API: the jobs of `/v1/jobs` in another form. */
export function createAsyncImageHandlers(services: AsyncImageServices) {
  return {
    createAsyncImage: async (valid) =>
      accepted(await createJob(imageRequest(valid, services), valid, services)),
    createAsyncImageEdit: async (valid) =>
      accepted(await createJob(await imageEditRequest(valid, services), valid, services)),
    retrieveAsyncImage: ({ parameters, context }) => retrieve(parameters.job, context, services),
    retrieveAsyncImageEdit: ({ parameters, context }) => retrieve(parameters.job, context, services),
  } satisfies Partial<Handlers>;
}

function accepted(job: Job) {
  return { status: 202, body: describeAsyncImageJob(job) } as const;
}

async function retrieve(id: string, context: RequestContext, { jobs }: JobHandlerServices) {
  const found = await jobs.find(id, viewerOf(ownKeyOf(context)));
  if (!isFinal(found.status)) return accepted(found);
  const { job, images } = await readResult(found, jobs);
  return {
    headers: {},
    ...(await withImages(describeAsyncImageJob(job), "result", images)),
  } satisfies ChunkedResponse;
}
