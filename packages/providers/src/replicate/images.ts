import { errorOf } from "@model-gateway/domain/errors";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import type { HostedOptions } from "../dialects/jobs/hosted-provider.js";
import { checkRequest, modelInput } from "../dialects/jobs/model-input.js";
import { type AcceptedJob, createInJob, JobFailedError } from "../dialects/jobs/poll-job.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";

/** The submit is held this long. Quick models are done by then; longer, a caller that leaves could not cancel the job. */
const heldSeconds = 5;
/** The shortest deadline that a prediction may have. */
const deadlineSecondsMin = 5;

export function createReplicateOperations({ send, readLink, fieldsOf }: HostedOptions): ProviderOperations {
  const run = async (request: ImageRequest | ImageEditRequest, call: Call): Promise<ImageReply> => {
    const fields = fieldsOf(call.target);
    checkRequest(request, fields);
    const { path, version } = endpointOf(call.model);
    const { headers, body } = encodeImageDocument((base64) => ({
      version,
      input: modelInput(request, fields, dataUrls(base64)),
    }));
    // Replicate stops abandoned work, even if this gateway is gone by then.
    const deadlineSeconds = Math.max(deadlineSecondsMin, Math.ceil(call.remainingMs / 1000));
    const waits = { prefer: `wait=${heldSeconds}`, "cancel-after": `${deadlineSeconds}s` };
    return createInJob({ path, headers: { ...headers, ...waits }, body }, call, {
      send,
      readLink,
      begin: (accepted) => predictionJob(accepted, send, call),
      linksIn: ({ links }) => links,
      secondsIn: ({ seconds }) => seconds,
    });
  };
  return { createImage: run, createImageEdit: run };
}

/** `owner/name` is an official model, `owner/name:version` or a version alone any other. */
export function endpointOf(model: string): { readonly path: string; readonly version?: string } {
  const [name = "", version = isVersion(model) ? model : undefined] = model.split(":");
  return version === undefined
    ? { path: `/models/${name.split("/").map(encodeURIComponent).join("/")}/predictions` }
    : { path: "/predictions", version };
}

export function isVersion(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** A prediction that has succeeded. */
interface Prediction {
  readonly links: readonly unknown[];
  /** The seconds that the model ran, which is what Replicate bills for models without a price per image. */
  readonly seconds: number | undefined;
}

function predictionJob(accepted: unknown, send: Send, call: Call): AcceptedJob<Prediction> {
  const { get, cancel } = linksOf(accepted);
  let held: unknown = accepted;
  return {
    read: async () => {
      const state = held ?? (await readJson(await send({ method: "GET", path: get, headers: {} }, call)));
      held = undefined;
      return readState(state);
    },
    cancel: (own) => send({ path: cancel, headers: {} }, own),
  };
}

function linksOf(prediction: unknown): { readonly get: string; readonly cancel: string } {
  const { urls, id } = isObject(prediction) ? prediction : {};
  const { get, cancel } = isObject(urls) ? urls : {};
  if (typeof get === "string" && typeof cancel === "string") return { get, cancel };
  if (typeof id !== "string") throw invalidReply("it has no prediction");
  const path = `/predictions/${encodeURIComponent(id)}`;
  return { get: path, cancel: `${path}/cancel` };
}

/** Undefined while the prediction runs. */
function readState(prediction: unknown): Prediction | undefined {
  const { status, output, error, metrics } = isObject(prediction) ? prediction : {};
  switch (status) {
    case "succeeded":
      return { links: Array.isArray(output) ? output : [output], seconds: secondsIn(metrics) };
    case "failed":
      throw isModeration(error)
        ? errorOf("moderation_blocked", { subject: "request" })
        : new JobFailedError();
    case "canceled":
    case "aborted":
      throw new JobFailedError("The upstream stopped the job before it was done.");
    default:
      if (typeof status === "string") return undefined;
      throw invalidReply("it has no state of the prediction");
  }
}

function secondsIn(metrics: unknown): number | undefined {
  const seconds = isObject(metrics) ? metrics.predict_time : undefined;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** A failure has only a text. These are the official models' words. */
function isModeration(error: unknown): boolean {
  return (
    typeof error === "string" &&
    /\bNSFW\b|flagged as sensitive|content moderation|safety (checker|filter)/i.test(error)
  );
}
