import type { z } from "zod";
import { defineRemoteProvider, type RemoteProvider } from "../../http/remote-provider.js";
import { baseUrlSetting, linkSettings, optionalApiKey, requiredApiKey } from "../../http/remote-settings.js";
import type { Provider, ProviderFacts } from "../../provider.js";
import type { EmbeddingTraits } from "../../traits.js";
import { createProvenanceCheck } from "./check-provenance.js";
import { createEmbeddingOperation, type EmbeddingDialect } from "./create-embedding.js";
import { readOpenAiError } from "./errors.js";
import { createListModels, discoveryRules, discoverySettings } from "./list-models.js";
import { createOpenAiOperations } from "./operations.js";

/** The traits of OpenAI's embeddings API. A server that speaks its dialect may have less: a target's keys say so. */
export const openAiTraits: EmbeddingTraits = {
  maxTokensPerRequest: 300_000,
  encodings: ["float", "base64"],
  dimensions: "pass",
  tooLong: "refused",
  unitVectors: "always",
  takesUser: true,
  takesTokenIds: true,
  targetKeys: ["dimensionsField", "encoding"],
};

/** A server with OpenAI's embeddings, images and model list. */
export interface OpenAiServer
  extends Pick<ProviderFacts, "name" | "title" | "embeddings" | "examples" | "environment" | "servers"> {
  readonly baseUrl: z.ZodURL | z.ZodDefault<z.ZodURL>;
  /** Throws if a server would read more than a description from the prompt of an image. */
  readonly checkPrompt?: (prompt: string) => void;
}

/** Creates such a server's provider: a bearer key, and all of OpenAI's operations. */
export function defineOpenAiServer({ baseUrl, checkPrompt, ...server }: OpenAiServer): Provider {
  return defineRemoteProvider({
    ...server,
    settings: { baseUrl, apiKey: optionalApiKey, ...linkSettings, ...discoverySettings },
    defaults: { acceptsUnknown: true },
    images: () => ({ profile: "gpt-image", mask: "alpha" }),
    checksProvenance: true,
    readError: readOpenAiError,
    describe: ({ discover, discoverEveryMs: everyMs }) => {
      const rules = discoveryRules(discover);
      return rules.length === 0 ? {} : { discovery: { everyMs, rules } };
    },
    open: (send, { tools }) => ({
      operations: createOpenAiOperations(send, { ...tools, checkPrompt }),
      listModels: createListModels(send),
      checkProvenance: createProvenanceCheck(send),
    }),
  });
}

/** A provider of embeddings whose API is OpenAI's but for some fields. */
export interface OpenAiLike
  extends EmbeddingDialect,
    Pick<ProviderFacts, "name" | "genAiName" | "title" | "embeddings" | "environment">,
    Pick<RemoteProvider<z.ZodRawShape>, "readError"> {
  readonly baseUrl: string;
}

/** Creates such a provider: a bearer key, `POST /embeddings`, and OpenAI's reply. */
export function defineOpenAiLike({ baseUrl, ...like }: OpenAiLike): Provider {
  const { bodyOf, batchPhrases, nameInput, ...facts } = like;
  const dialect = { bodyOf, batchPhrases, nameInput };
  return defineRemoteProvider({
    ...facts,
    settings: {
      baseUrl: baseUrlSetting("The address of the API, with its version.", baseUrl),
      apiKey: requiredApiKey,
    },
    open: (send, { tools }) => ({
      operations: { createEmbedding: createEmbeddingOperation(send, tools.buffers, dialect) },
    }),
  });
}
