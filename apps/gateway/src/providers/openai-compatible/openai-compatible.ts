import { z } from "zod";
import { discoverySettings } from "../dialects/openai/list-models.js";
import { describeOpenAi, openAiTraits, openOpenAi } from "../dialects/openai/operations.js";
import { baseUrlSetting, linkSettings, optionalApiKey, remoteSettings } from "../http/remote-settings.js";
import { checkNetworkSettings, unlessNetworkFaulty } from "../http/settings.js";
import { defineProvider } from "../provider.js";

/** Any server that speaks OpenAI's dialect. */
export const openAiCompatibleProvider = defineProvider({
  name: "openai-compatible",
  title: "Servers that speak OpenAI's dialect",
  settings: z
    .strictObject({
      provider: z.literal("openai-compatible"),
      baseUrl: baseUrlSetting("The address of the service, up to and including /v1."),
      apiKey: optionalApiKey,
      ...linkSettings,
      ...discoverySettings,
      ...remoteSettings,
    })
    .superRefine(checkNetworkSettings, unlessNetworkFaulty),
  defaults: { acceptsUnknown: true },
  embeddings: () => ({ ...openAiTraits, tooLong: "unknown", unitVectors: "unknown" }),
  images: () => ({ profile: "gpt-image", mask: "alpha" }),
  examples: { embeddings: ["any model"], images: ["any model"] },
  describe: describeOpenAi,
  open: openOpenAi,
});
