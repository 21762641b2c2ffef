import type { ImageReply } from "@model-gateway/domain/requests";
import type { Call } from "../call.js";
import { noEdits, noGenerations } from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { readImageJson } from "../http/replies/image-json.js";
import type { ProviderOperations } from "../provider.js";
import type { ImageFamily } from "./image-family.js";
import { type Invoke, jsonBody, modelIdOf } from "./invoke.js";
import { stabilityGenerate, stabilityInpaint } from "./stability-images.js";

const families: readonly (readonly [prefix: string, family: ImageFamily])[] = [
  ["stability.stable-image-core", stabilityGenerate],
  ["stability.stable-image-ultra", stabilityGenerate],
  ["stability.sd3", stabilityGenerate],
  ["stability.stable-image-inpaint", stabilityInpaint],
];

/** Undefined for a model that is of none. */
export function imageFamilyOf(model: string): ImageFamily | undefined {
  const id = modelIdOf(model);
  return families.find(([prefix]) => id.startsWith(prefix))?.[1];
}

export function createBedrockImages(
  invoke: Invoke,
): Pick<ProviderOperations, "createImage" | "createImageEdit"> {
  const run = async (family: ImageFamily, body: object, call: Call): Promise<ImageReply> => {
    const { document, images } = await readImageJson(await invoke(jsonBody(body), call), {
      key: "images",
      count: 1,
    });
    family.check(document, { images, call });
    return imageReply(images.map((content) => ({ content })));
  };
  return {
    createImage: async (request, call) => {
      const family = imageFamilyOf(call.model);
      if (family?.createBody === undefined) throw noGenerations();
      return run(family, family.createBody(request), call);
    },
    createImageEdit: async (request, call) => {
      const family = imageFamilyOf(call.model);
      if (family?.editBody === undefined) throw noEdits();
      return run(family, await family.editBody(request), call);
    },
  };
}
