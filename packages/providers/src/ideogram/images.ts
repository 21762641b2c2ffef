import { errorOf } from "@model-gateway/domain/errors";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call, ModelTarget } from "../call.js";
import { encodeForm, type FormPart } from "../dialects/images/image-body.js";
import { blockedImage, checkSeed, noEdits, unsupportedSize } from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import type { ReadResultLink } from "../dialects/jobs/result-links.js";
import { readJson } from "../http/json-request.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";
import { seedMax } from "./models.js";

/** Creations, edits of the area of a mask, and remixes of a whole image, each at its own path. */
export function createIdeogramOperations(send: Send, readLink: ReadResultLink): ProviderOperations {
  const run = async (operation: string, parts: readonly FormPart[], call: Call): Promise<ImageReply> => {
    const reply = await send({ path: `/v1/${call.model}/${operation}`, ...encodeForm(parts) }, call);
    return readReply(await readJson(reply), readLink, call);
  };
  return {
    createImage: async (request, call) => {
      return run("generate", textParts(request, call.target), call);
    },
    createImageEdit: async (request, call) => {
      if (call.target.facts?.options?.edits !== true) throw noEdits();
      const { images, mask } = request;
      if (mask !== undefined) checkMasked(request);
      const parts: FormPart[] = [
        ...textParts(request, call.target),
        { name: "image", image: images[0] },
        ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
      ];
      return run(mask === undefined ? "remix" : "inpaint", parts, call);
    },
  };
}

/** An image with a mask keeps its size, and has no negative prompt. */
function checkMasked({ size = "auto", negative_prompt }: ImageEditRequest): void {
  if (size !== "auto") throw unsupportedSize(size, "With a mask, the image keeps its size.");
  if (negative_prompt !== undefined) throw errorOf("unsupported_parameter", { param: "negative_prompt" });
}

const speeds: Readonly<Record<string, string>> = { low: "TURBO", medium: "DEFAULT", high: "QUALITY" };

function textParts(request: ImageRequest, { facts }: ModelTarget): FormPart[] {
  const { prompt, size = "auto", quality = "auto", n = 1, seed, negative_prompt } = request;
  checkSeed(seed, seedMax);
  const isPrompt = facts?.variant === "prompt";
  const fields: Readonly<Record<string, string | number | undefined>> = {
    [isPrompt ? "prompt" : "text_prompt"]: prompt,
    resolution: size === "auto" ? undefined : size,
    rendering_speed: speeds[quality],
    // It would rewrite the prompt.
    ...(isPrompt ? { magic_prompt: "OFF", num_images: n } : {}),
    seed,
    negative_prompt,
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, text: String(value) }],
  );
}

/** `{ "data": [{ "url", "is_image_safe", "prompt" }] }`. An image that is not safe has no link, and is missing. */
function readReply(document: unknown, readLink: ReadResultLink, call: Pick<Call, "committed">): ImageReply {
  const { data } = isObject(document) ? document : {};
  const items = Array.isArray(data) ? (data as readonly unknown[]) : [];
  if (items.length === 0) throw invalidReply("it has no images");
  const images = items.flatMap((item) => {
    const { url, is_image_safe: isSafe, prompt } = isObject(item) ? item : {};
    if (isSafe === false) return [];
    return [{ ...readLink(url), ...(typeof prompt === "string" ? { revised_prompt: prompt } : {}) }];
  });
  if (images.length === 0) throw blockedImage(call);
  return imageReply(images);
}
