import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { defineOpenAiServer, openAiTraits } from "../dialects/openai/define-provider.js";
import { checkFederation, withTokenFile } from "../http/credentials/federation.js";
import { baseUrlSetting } from "../http/remote-settings.js";
import { authenticateAtOpenAi, federationSetting, federationVariables, openAiHost } from "./federation.js";

/** OpenAI itself. https://platform.openai.com/docs/api-reference */
export const openAiProvider = defineOpenAiServer({
  name: "openai",
  title: "OpenAI",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the service, up to and including /v1.",
      "https://api.openai.com/v1",
    ),
    federation: federationSetting,
  },
  rule: {
    keys: ["baseUrl", "apiKey", "headers", "federation"],
    check: (settings, context) => checkFederation(settings, openAiHost, context),
  },
  usesMachineCredentials: ({ federation }) => federation !== undefined,
  complete: withTokenFile,
  authenticate: authenticateAtOpenAi,
  // All of OpenAI's embedding models share one vocabulary, and its clients send token ids from it.
  embeddings: ({ facts }) => embeddingTraits(facts, { ...openAiTraits, tokenizer: "cl100k_base" }),
  environment: {
    settings: {
      apiKey: { variables: ["OPENAI_API_KEY"], isRequired: true },
      baseUrl: { variables: ["OPENAI_BASE_URL", "OPENAI_API_BASE"] },
    },
    instead: { variables: federationVariables, settings: { federation: "environment" } },
  },
});
