import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import { checkArea } from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { readImageJson } from "../http/replies/image-json.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";
import { errorIn } from "./errors.js";

/** Creations and edits at `POST /images/generations`: an edit has images as well. */
export function createArkImages(send: Send): Pick<ProviderOperations, "createImage" | "createImageEdit"> {
  const run = async (request: ImageRequest | ImageEditRequest, call: Call): Promise<ImageReply> => {
    const { options: { area, parameters } = {} } = call.target.facts ?? {};
    const { size = "auto" } = request;
    if (size !== "auto" && area !== undefined) checkArea(size, area);
    const hasFormat = parameters?.includes("output_format") === true;
    const outgoing = { path: "/images/generations", ...encode(request, call.model, { hasFormat }) };
    return readReply(await readImageJson(await send(outgoing, call), firstImage));
  };
  return { createImage: run, createImageEdit: run };
}

function encode(
  request: ImageRequest | ImageEditRequest,
  model: string,
  { hasFormat }: { readonly hasFormat: boolean },
) {
  const { prompt, size, output_format: format = "png" } = request;
  return encodeImageDocument((base64) => {
    const [first, ...others] = "images" in request ? request.images.map(dataUrls(base64)) : [];
    return {
      model,
      prompt,
      image: others.length === 0 ? first : [first, ...others],
      ...(size === undefined || size === "auto" ? {} : { size }),
      // Some models have no other format than theirs.
      ...(hasFormat ? { output_format: format } : {}),
      response_format: "b64_json",
      // It is visible, and there unless it is refused.
      watermark: false,
    };
  });
}

const firstImage = {
  key: "b64_json",
  count: 1,
  at: ({ data }: Record<string, unknown>) => itemIn(data)?.b64_json,
};

function readReply({ document, images }: Awaited<ReturnType<typeof readImageJson>>): ImageReply {
  const [content] = images;
  const failure = errorIn(document.error) ?? errorIn(itemIn(document.data)?.error);
  if (content !== undefined && failure === undefined) return imageReply([{ content }]);
  throw failure ?? invalidReply("it has no image");
}

function itemIn(data: unknown): Record<string, unknown> | undefined {
  const [first] = Array.isArray(data) ? (data as readonly unknown[]) : [];
  return isObject(first) ? first : undefined;
}
