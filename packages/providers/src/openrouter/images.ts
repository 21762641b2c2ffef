import type { ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import type { Call } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import { ImageReplies } from "../dialects/openai/images.js";
import { jsonRequest } from "../http/json-request.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { ProviderOperations, ProviderTools } from "../provider.js";
import { refuseReply } from "./errors.js";

const path = "/images";

/** One path creates and edits: an edit has references. There are no masks. */
export function createImageOperations(
  send: Send,
  { buffers }: Pick<ProviderTools, "buffers">,
): Required<Pick<ProviderOperations, "createImage" | "createImageEdit">> {
  const replies = new ImageReplies(buffers, { refuse: refuseReply });
  const run = async (request: OutgoingRequest, call: Call): Promise<ImageReply> => ({
    images: await replies.read(await send(request, call), 1),
  });
  return {
    createImage: (request, call) => run(jsonRequest(path, fieldsOf(request, call.model)), call),
    createImageEdit: ({ images, ...request }, call) => {
      const { headers, body } = encodeImageDocument((base64) => ({
        ...fieldsOf(request, call.model),
        input_references: images.map((image) => ({
          type: "image_url",
          image_url: { url: dataUrls(base64)(image) },
        })),
      }));
      return run({ path, headers, body }, call);
    },
  };
}

function fieldsOf(request: ImageRequest, model: string): object {
  const { prompt, size, quality, background, output_format, output_compression, seed, user, extras } =
    request;
  return {
    // The gateway's fields go last: an extra never replaces them.
    ...extras,
    model,
    prompt,
    size: size === "auto" ? undefined : size,
    quality,
    background,
    output_format,
    output_compression,
    seed,
    user,
  };
}
