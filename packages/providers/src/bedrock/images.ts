import type { ModelFacts } from "@model-gateway/domain/model-facts";
import type { ImageReply } from "@model-gateway/domain/requests";
import type { Call } from "../call.js";
import { noEdits, noGenerations } from "../dialects/images/image-refusals.js";
import { imageReply } from "../dialects/images/image-reply.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import { readImageJson } from "../http/replies/image-json.js";
import type { ProviderOperations } from "../provider.js";
import type { ImageTraits } from "../traits.js";
import type { ImageFamily } from "./image-family.js";
import { type Invoke, jsonBody } from "./invoke.js";
import { stabilityGenerate, stabilityInpaint } from "./stability-images.js";

const families = { stability: stabilityGenerate, "stability-inpaint": stabilityInpaint } as const;
export const imageVariants = Object.keys(families) as (keyof typeof families)[];

/** Undefined for a model of which the catalogue does not say how it is called. */
function imageFamilyOf(facts: ModelFacts | undefined): ImageFamily | undefined {
  const variant = imageVariants.find((one) => one === facts?.variant);
  return variant && families[variant];
}

/** No call is sent for a model without a family. */
export function imageTraitsOf(facts: ModelFacts | undefined): ImageTraits {
  return imageTraits(facts, (imageFamilyOf(facts) ?? stabilityGenerate).traits);
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
      const family = imageFamilyOf(call.target.facts);
      if (family?.createBody === undefined) throw noGenerations();
      return run(family, family.createBody(request), call);
    },
    createImageEdit: async (request, call) => {
      const family = imageFamilyOf(call.target.facts);
      if (family?.editBody === undefined) throw noEdits();
      return run(family, await family.editBody(request), call);
    },
  };
}
