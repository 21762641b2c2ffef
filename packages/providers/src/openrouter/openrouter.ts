import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import {
  contentBody,
  createContentOperation,
  createEmbeddingOperation,
} from "../dialects/openai/create-embedding.js";
import { discoveryRules, discoverySettings } from "../dialects/openai/list-models.js";
import { checkFederation, withTokenFile } from "../http/credentials/federation.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, optionalApiKey } from "../http/remote-settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { readOpenRouterError } from "./errors.js";
import { authenticateAtOpenRouter, federationSetting, openRouterHost } from "./federation.js";
import { createImageOperations } from "./images.js";
import { createListOpenRouterModels } from "./list-models.js";
import { anyModel } from "./profiles.js";

/** A router to the models of many vendors. Its replies have the exact cost. https://openrouter.ai/docs/api-reference */
export const openRouterProvider = defineRemoteProvider({
  name: "openrouter",
  title: "OpenRouter",
  settings: {
    baseUrl: baseUrlSetting("The address of the API, with its version.", "https://openrouter.ai/api/v1"),
    apiKey: optionalApiKey,
    federation: federationSetting,
    ...discoverySettings,
  },
  rule: {
    keys: ["baseUrl", "apiKey", "headers", "federation"],
    check: (settings, context) => {
      if (settings.apiKey === undefined && settings.federation === undefined)
        context.addIssue({
          code: "custom",
          path: ["apiKey"],
          message: "is required, unless federation says how to authenticate",
        });
      checkFederation(settings, openRouterHost, context);
    },
  },
  usesMachineCredentials: ({ federation }) => federation !== undefined,
  authenticate: authenticateAtOpenRouter,
  defaults: { acceptsUnknown: true },
  embeddings: () => traits,
  images: ({ facts }) => imageTraits(facts, { profile: anyModel }),
  listsTypes: true,
  examples: { embeddings: ["any model"], images: ["any model"] },
  environment: {
    settings: { apiKey: { variables: ["OPENROUTER_API_KEY"], isRequired: true } },
    // Its models change every week.
    models: {
      embedding: { "openrouter/embeddings/*": { model: "*" } },
      image: { "openrouter/images/*": { model: "*" } },
    },
  },
  readError: readOpenRouterError,
  describe: (settings, directory) => {
    const { discover, discoverEveryMs: everyMs } = settings;
    const rules = discoveryRules(discover);
    return {
      settings: withTokenFile(settings, directory),
      ...(rules.length === 0 ? {} : { discovery: { everyMs, rules } }),
    };
  },
  open: (send, { tools }) => ({
    operations: {
      createEmbedding: createEmbeddingOperation(send, tools.buffers, { bodyOf }),
      createContentEmbedding: createContentOperation(send, tools.buffers, { bodyOf: contentBody(bodyOf) }),
      ...createImageOperations(send, tools),
    },
    listModels: createListOpenRouterModels(send),
  }),
});

/** It passes these words on to the model's host. */
const inputTypes = new Map([
  ["query", "search_query"],
  ["search_query", "search_query"],
  ["document", "search_document"],
  ["search_document", "search_document"],
  ["classification", "classification"],
  ["clustering", "clustering"],
]);

/** The limits are those of the model's host. */
const traits: EmbeddingTraits = {
  encodings: ["float", "base64"],
  inputTypes,
  dimensions: "pass",
  tooLong: "unknown",
  unitVectors: "unknown",
  takesUser: true,
  takesTokenIds: true,
  targetKeys: ["encoding", "inputImages", "inputMedia"],
};

function bodyOf(batch: EmbeddingBatch, { model }: ModelTarget): object {
  const { inputs, dimensions, encoding_format, inputType: input_type, user, extras } = batch;
  // The gateway's fields go last: an extra never replaces them.
  return { ...extras?.values, model, input: inputs, dimensions, encoding_format, input_type, user };
}
