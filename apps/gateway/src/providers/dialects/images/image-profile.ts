import type { ImageProfile } from "../../../domain/image-profile.js";

/** Creates one image as png in base64, and takes a prompt alone. A provider's profile adds what its models can do. */
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
