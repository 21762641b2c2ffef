import type { FieldMap } from "@model-gateway/domain/field-map";
import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import type { Call, ModelTarget } from "../call.js";
import { dataUrls, encodeImageDocument } from "../dialects/images/image-body.js";
import { exactSides, noEdits } from "../dialects/images/image-refusals.js";
import { checkRequest, modelInput } from "../dialects/jobs/model-input.js";
import { ImageReplies } from "../dialects/openai/images.js";
import type { Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";

/** Sides must be multiples of this. */
const step = 8;

interface TogetherImages {
  readonly buffers: BufferPool;
  readonly fieldsOf: (target: ModelTarget) => FieldMap;
}

/** Creations and edits at `POST /images/generations`: an edit has an image as well. The reply is OpenAI's. */
export function createTogetherImages(
  send: Send,
  { buffers, fieldsOf }: TogetherImages,
): Pick<ProviderOperations, "createImage" | "createImageEdit"> {
  const replies = new ImageReplies(buffers);
  const run = async (request: ImageRequest | ImageEditRequest, call: Call): Promise<ImageReply> => {
    const fields = fieldsOf(call.target);
    checkFields(request, fields);
    const { headers, body } = encodeImageDocument((base64) => ({
      ...modelInput(request, fields, dataUrls(base64)),
      model: call.model,
      // Not OpenAI's word for it.
      response_format: "base64",
    }));
    const reply = await send({ path: "/images/generations", headers, body }, call);
    return { images: await replies.read(reply, request.n ?? 1) };
  };
  return { createImage: run, createImageEdit: run };
}

function checkFields(request: ImageRequest | ImageEditRequest, fields: FieldMap): void {
  checkRequest(request, fields);
  if ("images" in request && fields.image === undefined) throw noEdits();
  const { size = "auto" } = request;
  if (size !== "auto" && fields.size === "width_height") exactSides(size, step);
}
