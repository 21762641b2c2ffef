import { errorOf } from "@model-gateway/domain/errors";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import type { HostedOptions } from "../dialects/jobs/hosted-provider.js";
import { checkRequest, modelInput } from "../dialects/jobs/model-input.js";
import { createInJob, JobFailedError } from "../dialects/jobs/poll-job.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { ProviderOperations } from "../provider.js";

export function createFalOperations({ send, readLink, fieldsOf }: HostedOptions): ProviderOperations {
  const run = async (request: ImageRequest | ImageEditRequest, call: Call): Promise<ImageReply> => {
    const fields = fieldsOf(call.target);
    checkRequest(request, fields);
    const { headers, body } = encodeImageDocument((base64) => modelInput(request, fields, dataUrls(base64)));
    const get = async (path: string) => readJson(await send({ method: "GET", path, headers: {} }, call));
    return createInJob({ path: `/${call.model}`, headers, body }, call, {
      send,
      readLink,
      linksIn,
      begin: (accepted) => {
        const { status, response, cancel } = linksOf(accepted);
        return {
          read: async () => (isCompleted(await get(status)) ? get(response) : undefined),
          cancel: (own) => send({ method: "PUT", path: cancel, headers: {} }, own),
        };
      },
    });
  };
  return { createImage: run, createImageEdit: run };
}

interface JobLinks {
  readonly status: string;
  readonly response: string;
  readonly cancel: string;
}

/** The links are used as they are: they lack a part of the model's path. */
function linksOf(accepted: unknown): JobLinks {
  const {
    status_url: status,
    response_url: response,
    cancel_url: cancel,
  } = isObject(accepted) ? accepted : {};
  if (typeof status === "string" && typeof response === "string" && typeof cancel === "string")
    return { status, response, cancel };
  throw invalidReply("it has no job");
}

/** A failed job counts as completed: its response says why. */
function isCompleted(state: unknown): boolean {
  const { status } = isObject(state) ? state : {};
  if (typeof status !== "string") throw invalidReply("it has no state of the job");
  if (status === "CANCELLED" || status === "FAILED")
    throw new JobFailedError("The upstream stopped the job before it was done.");
  return status === "COMPLETED";
}

/** `{ "images": [{ "url" }], "has_nsfw_concepts": [false] }`, or a single `image`. */
function linksIn(result: unknown): readonly unknown[] {
  const { images, image, has_nsfw_concepts: flags, error } = isObject(result) ? result : {};
  // The images are black then.
  if (Array.isArray(flags) && flags.includes(true)) throw errorOf("moderation_blocked", { subject: "image" });
  const list: unknown = images ?? (image === undefined ? undefined : [image]);
  if (Array.isArray(list)) return list.map((one: unknown) => (isObject(one) ? one.url : undefined));
  throw error === undefined ? invalidReply("it has no images") : new JobFailedError();
}
