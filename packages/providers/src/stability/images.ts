import { readImageHeader } from "@model-gateway/domain/image-input";
import type { ImageEditRequest, ImageReply } from "@model-gateway/domain/requests";
import type { Call, ModelTarget } from "../call.js";
import { encodeForm, type FormPart } from "../dialects/images/image-body.js";
import {
  blockedImage,
  invalidImage,
  missingArea,
  noEdits,
  noGenerations,
} from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { exactMask, inputPixelsMax, inputSideMin, optionFields } from "../dialects/stable-image.js";
import { readImageJson } from "../http/replies/image-json.js";
import { invalidReply } from "../http/replies/value-separator.js";
import type { Send } from "../http/send.js";
import type { ProviderOperations } from "../provider.js";

interface Endpoint {
  readonly path: string;
  /** The model of an endpoint that has several. */
  readonly model?: string;
  readonly edits: boolean;
}

/** A model has its own endpoint, or is one of a family at one endpoint, or fills masks. */
export const variants = ["own", "family", "inpaint"] as const;

function endpointOf({ model, facts }: ModelTarget): Endpoint | undefined {
  switch (facts?.variant) {
    case "own":
      return { path: `/stable-image/generate/${encodeURIComponent(model)}`, edits: false };
    case "family":
      return { path: "/stable-image/generate/sd3", model, edits: false };
    case "inpaint":
      return { path: "/stable-image/edit/inpaint", edits: true };
    default:
      return undefined;
  }
}

export function createStabilityOperations(send: Send): ProviderOperations {
  const run = async ({ path }: Endpoint, parts: readonly FormPart[], call: Call): Promise<ImageReply> => {
    const { headers, body } = encodeForm(parts);
    const reply = await send({ path, headers: { ...headers, accept: "application/json" }, body }, call);
    return readReply(await readImageJson(reply, { key: "image", count: 1 }), call);
  };
  return {
    createImage: async (request, call) => {
      const endpoint = endpointFor(call.target, { edits: false });
      return run(endpoint, formParts({ ...optionFields(request), model: endpoint.model }), call);
    },
    createImageEdit: async (request, call) => {
      const endpoint = endpointFor(call.target, { edits: true });
      await checkEdit(request);
      const [image] = request.images;
      const { mask } = request;
      return run(
        endpoint,
        [
          ...formParts({ ...optionFields(request), ...exactMask }),
          { name: "image", image },
          ...(mask === undefined ? [] : [{ name: "mask", image: mask }]),
        ],
        call,
      );
    },
  };
}

function endpointFor(target: ModelTarget, { edits }: { readonly edits: boolean }): Endpoint {
  const endpoint = endpointOf(target);
  if (endpoint?.edits === edits) return endpoint;
  throw edits ? noEdits() : noGenerations();
}

function formParts(fields: Readonly<Record<string, string | number | undefined>>): FormPart[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, text: String(value) }],
  );
}

const requestBytesMax = 10 * 1024 * 1024;
/** For the prompts and the heads of the parts. */
const otherBytes = 128 * 1024;

/** Refuses, before sending, inputs that the service would refuse, and an image without any area to edit. */
async function checkEdit({ images, mask }: ImageEditRequest): Promise<void> {
  const [image] = images;
  const facts = await readImageHeader(image);
  if (facts === undefined) throw invalidImage("it is not a readable image");
  const { width, height, hasAlpha } = facts;
  if (Math.min(width, height) < inputSideMin || width * height > inputPixelsMax)
    throw invalidImage(
      `it has ${width}x${height} pixels; this model takes sides of at least ${inputSideMin} and at most ${inputPixelsMax} pixels in all`,
    );
  if (image.bytes + (mask?.bytes ?? 0) + otherBytes > requestBytesMax)
    throw invalidImage("with its mask it has more than the 10 MB that this model takes");
  if (mask === undefined && !hasAlpha) throw missingArea();
}

function readReply(
  { document, images }: Awaited<ReturnType<typeof readImageJson>>,
  call: Pick<Call, "committed">,
): ImageReply {
  const [content] = images;
  const { finish_reason: reason } = document;
  // The reply has a blurred image.
  if (reason === "CONTENT_FILTERED") throw blockedImage(call);
  if (reason !== "SUCCESS" || content === undefined) throw invalidReply("it has no finished image");
  return imageReply([{ content }]);
}
