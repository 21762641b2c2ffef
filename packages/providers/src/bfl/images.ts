import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { readImageHeader } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { ratioOf } from "../dialects/images/aspect-ratios.js";
import { encodeImageDocument, type PlaceImage } from "../dialects/images/image-body.js";
import {
  exactSides,
  listedSize,
  missingArea,
  noGenerations,
  unsupportedOperation,
} from "../dialects/images/image-refusals.js";
import { createInJob, JobFailedError } from "../dialects/jobs/poll-job.js";
import type { ReadResultLink } from "../dialects/jobs/result-links.js";
import { jsonRequest, readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";
import { type BflVariant, classesBySize, isVariant } from "./models.js";

export function createBflOperations(send: Send, readLink: ReadResultLink): ProviderOperations {
  const run = (request: OutgoingRequest, call: Call): Promise<ImageReply> =>
    createInJob(request, call, {
      send,
      readLink,
      linksIn: (link) => [link],
      begin: (accepted) => {
        const path = statePath(accepted);
        // The API cannot cancel a job.
        return {
          reportedUsd: costIn(accepted),
          read: async () => readState(await readJson(await send({ method: "GET", path, headers: {} }, call))),
        };
      },
    });
  return {
    createImage: async (request, call) => {
      const variant = variantOf(call);
      if (variant === "fill") throw noGenerations();
      return run(jsonRequest(`/${call.model}`, fieldsOf(request, variant, call)), call);
    },
    createImageEdit: async (request, call) => {
      const variant = variantOf(call);
      if (variant === "fill") await checkArea(request);
      const { headers, body } = encodeImageDocument((base64) => ({
        ...fieldsOf(request, variant, call),
        ...imageFields(request, variant, base64),
      }));
      return run({ path: `/${call.model}`, headers, body }, call);
    },
  };
}

function variantOf({ target: { facts } }: Call): BflVariant {
  if (!isVariant(facts?.variant)) throw unsupportedOperation("This model is not known to the gateway.");
  return facts.variant;
}

function fieldsOf(request: ImageRequest, variant: BflVariant, { target: { facts } }: Call) {
  const { prompt, seed, output_format: format = "png", moderation } = request;
  const tolerance = moderation === "low" ? { safety_tolerance: facts?.options?.tolerance_max } : {};
  // A search of the web costs more, and shows the prompt to others.
  if (variant === "class")
    return { prompt, ...sizeFields(request.size, variant), grounding: false, ...tolerance };
  return {
    prompt,
    ...sizeFields(request.size, variant),
    seed,
    // Some models have another default.
    output_format: format,
    ...tolerance,
  };
}

/** Sides must be multiples of this. */
const step = 32;

function sizeFields(size: string | undefined, variant: BflVariant): object {
  if (size === undefined || size === "auto" || variant === "fill") return {};
  if (variant === "class") return listedSize(size, classesBySize);
  return variant === "ratio" ? { aspect_ratio: ratioOf(size) } : exactSides(size, step);
}

/** The first image is `input_image`, and others have a number: `input_image_2`. */
function imageFields({ images, mask }: ImageEditRequest, variant: BflVariant, base64: PlaceImage): object {
  if (variant === "class") return { images: images.map(base64) };
  const field = variant === "fill" ? "image" : "input_image";
  const named = images.map((image, index) => [index === 0 ? field : `${field}_${index + 1}`, base64(image)]);
  return { ...Object.fromEntries(named), mask: mask === undefined ? undefined : base64(mask) };
}

/** Refuses an image without any area to fill. */
async function checkArea({ images: [image], mask }: ImageEditRequest): Promise<void> {
  if (mask !== undefined) return;
  const header = await readImageHeader(image);
  if (header?.hasAlpha !== true) throw missingArea();
}

/** The state is at another host where another region does the work, so the link is used as it is. */
function statePath(accepted: unknown): string {
  const { polling_url: url, id } = isObject(accepted) ? accepted : {};
  if (typeof url === "string" && URL.canParse(url)) return url;
  if (typeof id === "string") return `/get_result?id=${encodeURIComponent(id)}`;
  throw invalidReply("it has no job");
}

/** A credit is a cent. https://docs.bfl.ai/quick_start/pricing */
const usdPerCredit = 0.01;

function costIn(accepted: unknown): number | undefined {
  const { cost } = isObject(accepted) ? accepted : {};
  return typeof cost === "number" && cost >= 0 ? cost * usdPerCredit : undefined;
}

/** Undefined while the job runs. Unknown states are taken for stages of a job that runs: it may be billed. */
function readState(document: unknown): unknown {
  const { status, result } = isObject(document) ? document : {};
  switch (status) {
    case "Ready":
      return isObject(result) ? (result.sample ?? null) : null;
    case "Request Moderated":
      throw errorOf("moderation_blocked", { subject: "request" });
    case "Content Moderated":
      throw errorOf("moderation_blocked", { subject: "image" });
    case "Error":
      throw new JobFailedError();
    case "Task not found":
      // A job may not be known yet in its first moments, so this is read again a few times.
      throw new GatewayError("upstream_error", "The upstream no longer has the job of the image.");
    default:
      if (typeof status === "string") return undefined;
      throw invalidReply("it has no state of the job");
  }
}
