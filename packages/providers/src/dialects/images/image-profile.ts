import type { ImageProfile } from "@model-gateway/domain/image-profile";

/** Creates one png image in base64, from a prompt alone. A provider's profile adds its models' capabilities. */
export const plainProfile: Omit<ImageProfile, "name"> = {
  parameters: [],
  sizes: ["auto"],
  qualities: ["auto"],
  autoIsAbsent: true,
  backgrounds: ["auto", "opaque"],
  outputFormats: ["png"],
  responseFormats: ["b64_json"],
  maxN: 1,
  maxPromptLength: 32_000,
  edits: false,
  mask: false,
  markup: false,
  maxImages: 1,
  streaming: false,
};
