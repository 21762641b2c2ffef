import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { isObject } from "@model-gateway/runtime/json";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import type { EmbeddingTraits, ImageTraits } from "../traits.js";

/** A call creates one image. */
const profile: ImageProfile = {
  ...plainProfile,
  name: "ark",
  parameters: ["size"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  outputFormats: ["jpeg"],
  edits: true,
  maxImages: 14,
};

/**
 * The model behind one of the operator's endpoints.
 *
 * @param settings Those of the upstream. They may not be checked yet.
 */
export function modelBehind(model: string, { endpoints }: Readonly<Record<string, unknown>>): string {
  return isObject(endpoints) && Object.hasOwn(endpoints, model) ? String(endpoints[model]) : model;
}

export function imageTraitsOf(facts: ModelFacts | undefined): ImageTraits {
  return imageTraits(facts, { profile });
}

/** https://www.volcengine.com/docs/82379/1302003 */
export function embeddingTraitsOf(facts: ModelFacts | undefined): EmbeddingTraits {
  return embeddingTraits(facts, {
    maxInputs: 256,
    maxTokens: 4096,
    encodings: ["float", "base64"],
    dimensions: "emulate",
    tooLong: "refused",
    // Not documented.
    unitVectors: "not-always",
    takesUser: false,
  });
}
