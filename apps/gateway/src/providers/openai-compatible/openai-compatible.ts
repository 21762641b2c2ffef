import { defineOpenAiServer, openAiTraits } from "../dialects/openai/define-provider.js";
import { baseUrlSetting } from "../http/remote-settings.js";
import { lmStudio, sdServer, vllm } from "./servers.js";

/** Any server that speaks OpenAI's dialect. */
export const openAiCompatibleProvider = defineOpenAiServer({
  name: "openai-compatible",
  title: "Servers that speak OpenAI's dialect",
  baseUrl: baseUrlSetting("The address of the service, up to and including /v1."),
  embeddings: () => ({ ...openAiTraits, tooLong: "unknown", unitVectors: "unknown" }),
  examples: { embeddings: ["any model"], images: ["any model"] },
  servers: [lmStudio, vllm, sdServer],
});
