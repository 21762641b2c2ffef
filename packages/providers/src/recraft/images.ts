import type { ImageEditRequest, ImageReply, ImageRequest } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { isObject } from "@model-gateway/runtime/json";
import type { Call, ModelTarget } from "../call.js";
import { encodeForm, type FormPart } from "../dialects/images/image-body.js";
import { noEdits, unsupportedSize } from "../dialects/images/image-refusals.js";
import { ImageReplies } from "../dialects/openai/images.js";
import { jsonRequest } from "../http/json-request.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";

interface RecraftOptions {
  readonly buffers: BufferPool;
  readonly strength: number;
}

/** Creations, edits of the area of a mask, and edits of a whole image, each at its own path. */
export function createRecraftOperations(
  send: Send,
  { buffers, strength }: RecraftOptions,
): ProviderOperations {
  const replies = new ImageReplies(buffers, { usdIn: costIn });
  const run = async (
    outgoing: OutgoingRequest,
    { n = 1 }: ImageRequest,
    call: Call,
  ): Promise<ImageReply> => ({
    images: await replies.read(await send(outgoing, call), n),
  });
  return {
    createImage: async (request, call) => {
      const { size = "auto" } = request;
      const body = { ...fieldsOf(request, call.model), ...(size === "auto" ? {} : { size }) };
      return run(jsonRequest("/images/generations", body), request, call);
    },
    createImageEdit: async (request, call) => {
      checkEdit(request, call.target);
      const { images, mask } = request;
      const fields = { ...fieldsOf(request, call.model), ...(mask === undefined ? { strength } : {}) };
      const parts: FormPart[] = [
        ...textParts(fields),
        { name: "image", image: images[0] },
        ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
      ];
      const path = mask === undefined ? "/images/imageToImage" : "/images/inpaint";
      return run({ path, ...encodeForm(parts) }, request, call);
    },
  };
}

/** An edited image keeps its size. */
function checkEdit({ size = "auto" }: ImageEditRequest, { facts }: ModelTarget): void {
  if (facts?.options?.edits !== true) throw noEdits();
  if (size !== "auto") throw unsupportedSize(size, "An edited image keeps its size.");
}

/** Image data can be checked at once, so links are never requested. */
function fieldsOf({ prompt, n = 1, negative_prompt }: ImageRequest, model: string) {
  return { model, prompt, n, negative_prompt, response_format: "b64_json" };
}

function textParts(fields: Readonly<Record<string, string | number | undefined>>): FormPart[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, text: String(value) }],
  );
}

/** https://www.recraft.ai/docs/api-reference/pricing */
const creditsPerUsd = 1000;

function costIn(reply: unknown): number | undefined {
  const { credits } = isObject(reply) ? reply : {};
  return typeof credits === "number" && credits >= 0 ? credits / creditsPerUsd : undefined;
}
