import type { ImageProfile } from "@model-gateway/domain/image-profile";
import type { ModelFacts } from "@model-gateway/domain/model-facts";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import type { ImageTraits } from "../traits.js";

const profile: ImageProfile = {
  ...plainProfile,
  name: "recraft",
  parameters: ["size", "n", "response_format"],
  responseFormats: ["b64_json", "url"],
  maxN: 6,
  maxPromptLength: 10_000,
};

export function traitsOf(facts: ModelFacts | undefined): ImageTraits {
  return imageTraits(facts, { profile });
}
