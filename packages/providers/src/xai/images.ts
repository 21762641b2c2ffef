import type { ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import { blockedImage, listedSize, unsupportedSize } from "../dialects/images/image-refusals.js";
import { ImageReplies } from "../dialects/openai/images.js";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { jsonRequest } from "../http/json-request.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { ProviderOperations, ProviderTools } from "../provider.js";
import { readXaiError } from "./errors.js";

/** The sizes of its two resolutions, by aspect ratio: a size is the pair of both. */
export const ratiosBySize: ReadonlyMap<string, { readonly ratio: string; readonly resolution?: "2k" }> =
  new Map([
    ["1024x1024", { ratio: "1:1" }],
    ["1536x1024", { ratio: "3:2" }],
    ["1024x1536", { ratio: "2:3" }],
    ["1280x960", { ratio: "4:3" }],
    ["960x1280", { ratio: "3:4" }],
    ["1920x1080", { ratio: "16:9" }],
    ["1080x1920", { ratio: "9:16" }],
    ["2048x2048", { ratio: "1:1", resolution: "2k" }],
  ]);

/** One dollar is 10,000,000,000 ticks. https://docs.x.ai/developers/cost-tracking */
const ticksPerUsd = 10_000_000_000;

export function createXaiOperations(
  send: Send,
  { buffers }: Pick<ProviderTools, "buffers">,
): Required<Pick<ProviderOperations, "createImage" | "createImageEdit">> {
  const run = async (request: OutgoingRequest, count: number, call: Call): Promise<ImageReply> => {
    const replies = new ImageReplies(buffers, { refuse: (reply) => refuseBlocked(reply, call), usdIn });
    return { images: await replies.read(await send(request, call), count) };
  };
  return {
    createImage: (request, call) => {
      const fields = { ...fieldsOf(request, call.model), ...shapeOf(request.size) };
      return run(jsonRequest("/images/generations", fields), request.n ?? 1, call);
    },
    // An image that is sent to the other path is ignored, and the reply is billed.
    createImageEdit: ({ images, ...request }, call) => {
      if (request.size !== undefined && request.size !== "auto")
        throw unsupportedSize(request.size, "An edit has the shape of its first image. Use auto.");
      const { headers, body } = encodeImageDocument((base64) => {
        const references = images.map((image) => ({ type: "image_url", url: dataUrls(base64)(image) }));
        const [only] = references;
        return {
          ...fieldsOf(request, call.model),
          ...(references.length === 1 ? { image: only } : { images: references }),
        };
      });
      return run({ path: "/images/edits", headers, body }, request.n ?? 1, call);
    },
  };
}

function fieldsOf({ prompt, n, user }: ImageRequest, model: string): object {
  return { model, prompt, n, response_format: "b64_json", user };
}

function shapeOf(size: string | undefined): object {
  if (size === undefined || size === "auto") return {};
  const { ratio, resolution } = listedSize(size, ratiosBySize);
  return { aspect_ratio: ratio, resolution };
}

/** An image that its moderation has blocked comes with status 200, and may be billed. So may those beside it. */
function refuseBlocked(reply: unknown, call: Call): void {
  const data: readonly unknown[] = isObject(reply) && Array.isArray(reply.data) ? reply.data : [];
  if (data.some((image) => isObject(image) && image.respect_moderation === false)) throw blockedImage(call);
  if (isObject(reply) && typeof reply.error === "string")
    throw errorFromReply({ status: 502, headers: {}, body: JSON.stringify(reply) }, readXaiError);
}

function usdIn(reply: unknown): number | undefined {
  const usage = isObject(reply) ? reply.usage : undefined;
  const ticks = isObject(usage) ? usage.cost_in_usd_ticks : undefined;
  return typeof ticks === "number" && ticks >= 0 && Number.isFinite(ticks) ? ticks / ticksPerUsd : undefined;
}
