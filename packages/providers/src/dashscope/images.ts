import { GatewayError } from "@model-gateway/domain/errors";
import type { ImageInput } from "@model-gateway/domain/image-input";
import type { ImageModelOptions } from "@model-gateway/domain/model-facts";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import {
  checkArea,
  checkNegativePrompt,
  checkSeed,
  noEdits,
  noGenerations,
  unsupportedOperation,
} from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { type AcceptedJob, createInJob, JobFailedError } from "../dialects/jobs/poll-job.js";
import type { ReadResultLink } from "../dialects/jobs/result-links.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";
import { errorIn, isCallersMistake } from "./errors.js";
import { type DashScopeVariant, negativePromptLengthMax, seedMax, variantOf } from "./models.js";

type AnyRequest = ImageRequest | ImageEditRequest;

const paths = {
  message: "/api/v1/services/aigc/multimodal-generation/generation",
  "text-task": "/api/v1/services/aigc/text2image/image-synthesis",
  "image-task": "/api/v1/services/aigc/image2image/image-synthesis",
} as const;

/** Messages of the newer models, whose reply has the images, and tasks of the older ones. */
export function createDashScopeImages(
  send: Send,
  readLink: ReadResultLink,
): Pick<ProviderOperations, "createImage" | "createImageEdit"> {
  const run = async (request: AnyRequest, call: Call): Promise<ImageReply> => {
    const variant = variantFor(request, call);
    const { options } = call.target.facts ?? {};
    checkOptions(request, options);
    const outgoing = requestOf(request, { variant, options, model: call.model });
    if (variant !== "message")
      return createInJob(outgoing, call, {
        send,
        readLink,
        begin: (accepted) => taskJob(accepted, send, call),
        linksIn: linksOfTask,
      });
    return imageReply(linksOfMessage(await readJson(await send(outgoing, call))).map(readLink));
  };
  return { createImage: run, createImageEdit: run };
}

function variantFor(request: AnyRequest, { target: { facts } }: Call): DashScopeVariant {
  const variant = variantOf(facts);
  if (variant === undefined) throw unsupportedOperation("This model is not known to the gateway.");
  const { edits, only_edits: onlyEdits } = facts?.options ?? {};
  if ("images" in request && edits !== true) throw noEdits();
  if (!("images" in request) && onlyEdits === true) throw noGenerations();
  return variant;
}

function checkOptions(
  request: AnyRequest,
  { area, edit_area: editArea = area }: ImageModelOptions = {},
): void {
  const { size = "auto" } = request;
  const taken = "images" in request ? editArea : area;
  if (taken !== undefined && size !== "auto") checkArea(size, taken);
  checkSeed(request.seed, seedMax);
  checkNegativePrompt(request.negative_prompt, negativePromptLengthMax);
}

interface CalledModel {
  readonly model: string;
  readonly variant: DashScopeVariant;
  readonly options: ImageModelOptions | undefined;
}

function requestOf(request: AnyRequest, { model, variant, options }: CalledModel): OutgoingRequest {
  const { prompt, negative_prompt } = request;
  const isMessage = variant === "message";
  const { headers, body } = encodeImageDocument((base64) => {
    const images = linksTo(request, dataUrls(base64));
    const content = [...images.map((image) => ({ image })), { text: prompt }];
    return {
      model,
      input: isMessage
        ? { messages: [{ role: "user", content }] }
        : { prompt, negative_prompt, ...(images.length === 0 ? {} : { images }) },
      parameters: {
        ...parametersOf(request, options),
        ...(isMessage ? { negative_prompt } : {}),
      },
    };
  });
  const asynchronous = isMessage ? {} : { "x-dashscope-async": "enable" };
  return { path: paths[variant], headers: { ...headers, ...asynchronous }, body };
}

function linksTo(request: AnyRequest, link: (image: ImageInput) => string): readonly string[] {
  return "images" in request ? request.images.map(link) : [];
}

/** A model may create four images where none are counted, so one is asked for by its number. */
function parametersOf(
  { size, n = 1, seed }: AnyRequest,
  { parameters, rewrites }: ImageModelOptions = {},
): object {
  return {
    ...(size === undefined || size === "auto" ? {} : { size: size.replace("x", "*") }),
    ...(parameters?.includes("n") !== false ? { n } : {}),
    ...(rewrites ? { prompt_extend: false } : {}),
    seed,
    watermark: false,
  };
}

/** `{ "output": { "choices": [{ "message": { "content": [{ "image" }] } }] } }` */
function linksOfMessage(document: unknown): readonly unknown[] {
  const { output } = isObject(document) ? document : {};
  if (!isObject(output)) throw errorIn(document) ?? invalidReply("it has no output");
  const links = listOf(output.choices)
    .flatMap((choice) => (isObject(choice) && isObject(choice.message) ? listOf(choice.message.content) : []))
    .flatMap((part) => (isObject(part) && part.image !== undefined ? [part.image] : []));
  if (links.length === 0) throw errorIn(document) ?? errorIn(output) ?? invalidReply("it has no images");
  return links;
}

function taskJob(accepted: unknown, send: Send, call: Call): AcceptedJob<readonly unknown[]> {
  const { output } = isObject(accepted) ? accepted : {};
  const { task_id: id } = isObject(output) ? output : {};
  if (typeof id !== "string" || id === "") throw errorIn(accepted) ?? invalidReply("it has no task");
  const path = `/api/v1/tasks/${encodeURIComponent(id)}`;
  return {
    read: async () => readTask(await readJson(await send({ method: "GET", path, headers: {} }, call))),
    // Only a task that still waits is stopped.
    cancel: (own) => send({ path: `${path}/cancel`, headers: {} }, own),
  };
}

/** Undefined while the task runs. Unknown states are taken for stages of a task that runs: it may be billed. */
function readTask(document: unknown): readonly unknown[] | undefined {
  const { output } = isObject(document) ? document : {};
  const { task_status: status, results } = isObject(output) ? output : {};
  switch (status) {
    case "SUCCEEDED":
      return listOf(results);
    case "FAILED":
      throw failureOf(output);
    case "CANCELED":
      throw new JobFailedError("The upstream stopped the job before it was done.");
    case "UNKNOWN":
      // A task may not be known yet in its first moments, so this is read again a few times.
      throw new GatewayError("upstream_error", "The upstream no longer has the job of the image.");
    default:
      if (typeof status === "string") return undefined;
      throw errorIn(document) ?? invalidReply("it has no state of the task");
  }
}

/** A task succeeds if one of its images does. The others have an error in their place, and are missing in the reply. */
function linksOfTask(results: readonly unknown[]): readonly unknown[] {
  const links = results.flatMap((one) => (isObject(one) && one.url !== undefined ? [one.url] : []));
  if (links.length > 0) return links;
  throw results.length === 0 ? invalidReply("it has no images") : failureOf(results[0]);
}

/** A mistake of the caller has its message. Any other failure is final, even if its word is that of a passing one. */
function failureOf(document: unknown): GatewayError {
  const failure = errorIn(document);
  return isCallersMistake(failure) ? failure : new JobFailedError(undefined, failure);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
