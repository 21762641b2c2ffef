import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import type { EmbeddingTraits, ImageTraits } from "../traits.js";

/** How an image model is called: by a message whose reply has the images, or by a task that is polled. */
export const variants = ["message", "text-task", "image-task"] as const;
export type DashScopeVariant = (typeof variants)[number];

/** The largest seed of all image models, and the longest negative prompt. */
export const seedMax = 2_147_483_647;
export const negativePromptLengthMax = 500;

/** Longer prompts are cut by the service without a word, so that each model has their length. */
const profile: ImageProfile = {
  ...plainProfile,
  name: "dashscope",
  parameters: ["size", "n", "seed", "negative_prompt"],
  sizes: ["auto", "WIDTHxHEIGHT"],
  maxPromptLength: 800,
};

/** Undefined for a model of which the catalogue does not say how it is called. */
export function variantOf(facts: ModelFacts | undefined): DashScopeVariant | undefined {
  return variants.find((one) => one === facts?.variant);
}

export function imageTraitsOf(facts: ModelFacts | undefined): ImageTraits {
  return imageTraits(facts, { profile });
}

/** https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api */
export function embeddingTraitsOf(facts: ModelFacts | undefined): EmbeddingTraits {
  return embeddingTraits(facts, {
    maxInputs: 10,
    maxTokens: 2048,
    encodings: ["float"],
    dimensions: "emulate",
    tooLong: "refused",
    // Not documented.
    unitVectors: "not-always",
    takesUser: false,
  });
}
