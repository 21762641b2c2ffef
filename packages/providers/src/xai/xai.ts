import type { ImageProfile } from "@model-gateway/domain/image-profile";
import { plainProfile } from "../dialects/images/image-profile.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, linkSettings, requiredApiKey } from "../http/remote-settings.js";
import { readXaiError } from "./errors.js";
import { createXaiOperations, ratiosBySize } from "./images.js";

/** It takes an aspect ratio instead of a size, and neither a mask nor a seed. */
const profile: ImageProfile = {
  ...plainProfile,
  name: "xai",
  parameters: ["size", "n"],
  sizes: ["auto", ...ratiosBySize.keys()],
  outputFormats: ["jpeg"],
  maxN: 10,
  edits: true,
  maxImages: 3,
};

/** xAI's Grok Imagine. https://docs.x.ai/docs/guides/image-generations */
export const xaiProvider = defineRemoteProvider({
  name: "xai",
  genAiName: "x_ai",
  title: "xAI",
  settings: {
    baseUrl: baseUrlSetting("The address of the API, with its version.", "https://api.x.ai/v1"),
    apiKey: requiredApiKey,
    ...linkSettings,
  },
  images: ({ facts }) => imageTraits(facts, { profile }),
  environment: {
    settings: { apiKey: { variables: ["XAI_API_KEY"], isRequired: true } },
  },
  readError: readXaiError,
  open: (send, { tools }) => ({ operations: createXaiOperations(send, tools) }),
});
