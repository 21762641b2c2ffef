import { z } from "zod";
import { discoverySettings } from "../dialects/openai/list-models.js";
import { describeOpenAi, openAiTraits, openOpenAi } from "../dialects/openai/operations.js";
import { baseUrlSetting, linkSettings, optionalApiKey, remoteSettings } from "../http/remote-settings.js";
import { checkNetworkSettings, unlessNetworkFaulty } from "../http/settings.js";
import { defineProvider } from "../provider.js";

/** OpenAI itself. https://platform.openai.com/docs/api-reference */
export const openAiProvider = defineProvider({
  name: "openai",
  title: "OpenAI",
  settings: z
    .strictObject({
      provider: z.literal("openai"),
      baseUrl: baseUrlSetting(
        "The address of the service, up to and including /v1.",
        "https://api.openai.com/v1",
      ),
      apiKey: optionalApiKey,
      ...linkSettings,
      ...discoverySettings,
      ...remoteSettings,
    })
    .superRefine(checkNetworkSettings, unlessNetworkFaulty),
  defaults: { acceptsUnknown: true },
  // All of OpenAI's embedding models share one vocabulary, and its clients send token ids of it.
  embeddings: () => ({ ...openAiTraits, tokenizer: "cl100k_base" }),
  images: () => ({ profile: "gpt-image", mask: "alpha" }),
  examples: { embeddings: ["text-embedding-3-small"], images: ["gpt-image-1"] },
  describe: describeOpenAi,
  open: openOpenAi,
});
