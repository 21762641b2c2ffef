import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { imageProfiles } from "@model-gateway/domain/image-profiles";
import type { ImageModelOptions, ModelFacts } from "@model-gateway/domain/model-facts";
import { withoutUndefined } from "@model-gateway/runtime/json";
import type { ImageTraits } from "../../traits.js";

interface ImageDialect extends Omit<ImageTraits, "profile"> {
  /** The profile of a model of which nothing is known. */
  readonly profile: ImageProfile;
}

/** The traits of an image model: what its dialect fixes, and over that the facts of the model. */
export function imageTraits(
  { profile: named, options = {} }: ModelFacts = {},
  { profile, mask }: ImageDialect,
): ImageTraits & { readonly profile: ImageProfile } {
  const form = options.mask === "none" ? undefined : (options.mask ?? mask);
  const base = named === undefined ? profile : imageProfiles[named];
  return { profile: withOptions(base, options), ...withoutUndefined({ mask: form }) };
}

function withOptions(base: ImageProfile, { mask, ...options }: ImageModelOptions): ImageProfile {
  return {
    ...base,
    ...withoutUndefined({
      name: options.name,
      parameters: options.parameters,
      sizes: options.sizes,
      sides: options.sides,
      qualities: options.qualities,
      backgrounds: options.backgrounds,
      outputFormats: options.output_formats,
      responseFormats: options.response_formats,
      maxN: options.max_n,
      maxPromptLength: options.max_prompt_length,
      edits: options.edits,
      onlyEdits: options.only_edits,
      mask: mask && mask !== "none",
      markup: options.markup,
      maxImages: options.max_images,
      streaming: options.streaming,
    }),
  };
}
