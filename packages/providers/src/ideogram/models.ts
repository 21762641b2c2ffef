import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import type { ImageTraits } from "../traits.js";

/** The names of a request's fields: those of the first generations with this API, and those of the later ones. */
export const variants = ["prompt", "text-prompt"] as const;

/** The largest seed of all models. */
export const seedMax = 2_147_483_647;

const profile: ImageProfile = {
  ...plainProfile,
  name: "ideogram",
  parameters: ["size", "quality"],
  qualities: ["auto", "low", "medium", "high"],
  maxPromptLength: 10_000,
};

export function traitsOf(facts: ModelFacts | undefined): ImageTraits & { readonly profile: ImageProfile } {
  return imageTraits(facts, { profile });
}
