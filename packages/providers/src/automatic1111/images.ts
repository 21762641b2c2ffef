import { type ImageInput, readImageHeader } from "@model-gateway/domain/image-input";
import type { ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import type { Call } from "../call.js";
import { encodeImageDocument } from "../dialects/images/image-body.js";
import { exactSides, invalidImage } from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { parseObject } from "../http/errors/read-error.js";
import { jsonRequest } from "../http/json-request.js";
import { readImageJson } from "../http/replies/image-json.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { IncomingReply, Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";
import type { Checkpoints } from "./checkpoints.js";

export const sides = { min: 64, max: 2048 } as const;

/** Steps by quality. Without a quality, the web UI's default applies. */
export const stepsByQuality: Readonly<Record<string, number>> = { low: 12, medium: 25, high: 40 };

interface Size {
  readonly width: number;
  readonly height: number;
}

export function createWebUiOperations(
  send: Send,
  checkpoints: Pick<Checkpoints, "titleOf">,
): ProviderOperations {
  return {
    createImage: async (request, call) => {
      const size = request.size === undefined ? {} : exactSides(request.size, step);
      const fields = { ...commonFields(request, await checkpoints.titleOf(call)), ...size };
      return readReply(await send(jsonRequest("/sdapi/v1/txt2img", fields), call), request.n);
    },
    createImageEdit: async (request, call) => {
      const [image] = request.images;
      const size = request.size === undefined ? await sizeOf(image) : exactSides(request.size, step);
      const fields = { ...commonFields(request, await checkpoints.titleOf(call)), ...size };
      return readReply(await sendEdit({ ...fields, image, mask: request.mask }, send, call), request.n);
    },
  };
}

interface EditFields extends Size {
  readonly image: ImageInput;
  readonly mask: ImageInput | undefined;
}

function sendEdit({ image, mask, ...fields }: EditFields, send: Send, call: Call): Promise<IncomingReply> {
  // The defaults would soften the edge of the mask, cut the image to it, and fill it with a blurred colour first.
  const masking = { mask_blur: 0, inpaint_full_res: false, inpainting_fill: 1, inpainting_mask_invert: 0 };
  const { headers, body } = encodeImageDocument((base64) => ({
    ...fields,
    init_images: [base64(image)],
    ...(mask === undefined ? {} : { ...masking, mask: base64(mask) }),
  }));
  return send({ path: "/sdapi/v1/img2img", headers, body }, call);
}

/** Fields that it does not know are ignored there without a word, so only fields that it knows may be sent. */
function commonFields({ prompt, negative_prompt, seed, quality, n = 1 }: ImageRequest, title: string) {
  return {
    prompt,
    negative_prompt,
    seed,
    steps: quality === undefined ? undefined : stepsByQuality[quality],
    batch_size: n,
    n_iter: 1,
    override_settings: { sd_model_checkpoint: title },
    // Otherwise the checkpoint of before is loaded again after each request.
    override_settings_restore_afterwards: false,
    send_images: true,
    save_images: false,
  };
}

/** An image has eight pixels for each of the model's own. */
const step = 8;

/** The size of an image, or the next smaller one that there is. */
async function sizeOf(image: ImageInput): Promise<Size> {
  const facts = await readImageHeader(image);
  const multiple = (side = 0): number => side - (side % step);
  const [width, height] = [multiple(facts?.width), multiple(facts?.height)];
  if (Math.min(width, height) >= sides.min && Math.max(width, height) <= sides.max) return { width, height };
  throw invalidImage(
    `it has ${facts?.width}x${facts?.height} pixels; this model takes sides of ${sides.min} to ${sides.max}. Send a 'size' to have it resized`,
  );
}

async function readReply(reply: IncomingReply, count = 1): Promise<ImageReply> {
  const { document, images } = await readImageJson(reply, { key: "images", count: count + extraImages });
  const { info } = document;
  // A script may have put a grid of all images before them, or its own images after them.
  const { index_of_first_image: first } = typeof info === "string" ? (parseObject(info) ?? {}) : {};
  const start = typeof first === "number" ? first : 0;
  const data = images.slice(start, start + count).map((content) => ({ content }));
  if (data.length === 0) throw invalidReply("it has no images");
  return imageReply(data);
}

/** A grid, and images that web UI scripts add. */
const extraImages = 4;
