import { errorOf, GatewayError } from "@model-gateway/domain/errors";
import { readImageHeader } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { ratioOf } from "../dialects/images/aspect-ratios.js";
import { encodeImageDocument, type PlaceImage } from "../dialects/images/image-body.js";
import {
  exactSides,
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
import { type BflModels, kindOf } from "./models.js";

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
      const kind = kindFor(call.model);
      if (kind.profile.onlyEdits === true) throw noGenerations();
      return run(jsonRequest(`/${call.model}`, fieldsOf(request, kind)), call);
    },
    createImageEdit: async (request, call) => {
      const kind = kindFor(call.model);
      if (kind.profile.mask) await checkArea(request);
      const { headers, body } = encodeImageDocument((base64) => ({
        ...fieldsOf(request, kind),
        ...imageFields(request, kind, base64),
      }));
      return run({ path: `/${call.model}`, headers, body }, call);
    },
  };
}

function kindFor(model: string): BflModels {
  const kind = kindOf(model);
  if (kind === undefined) throw unsupportedOperation("This model is not known to the gateway.");
  return kind;
}

function fieldsOf(request: ImageRequest, kind: BflModels) {
  const { prompt, seed, output_format: format = "png", moderation } = request;
  return {
    prompt,
    ...sizeFields(request.size, kind),
    seed,
    // Some models have another default.
    output_format: format,
    ...(moderation === "low" ? { safety_tolerance: kind.leastModeration } : {}),
  };
}

/** Sides must be multiples of this. */
const step = 32;

function sizeFields(size: string | undefined, kind: BflModels) {
  if (size === undefined || size === "auto" || kind.size === "none") return {};
  if (kind.size === "ratio") return { aspect_ratio: ratioOf(size) };
  return exactSides(size, step);
}

function imageFields(
  { images, mask }: ImageEditRequest,
  { imageField = "input_image" }: BflModels,
  base64: PlaceImage,
): object {
  const named = images.map((image, index) => [
    index === 0 ? imageField : `${imageField}_${index + 1}`,
    base64(image),
  ]);
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
