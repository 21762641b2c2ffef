import { z } from "zod";
import type { BufferPool } from "../../../runtime/buffer-pool.js";
import { bearer } from "../../http/credentials/authentication.js";
import type { ReadError } from "../../http/errors/upstream-errors.js";
import {
  type baseUrlSetting,
  describeRemote,
  type optionalApiKey,
  remoteSettings,
} from "../../http/remote-settings.js";
import { type Send, UpstreamClient } from "../../http/send.js";
import { checkNetworkSettings, unlessNetworkFaulty } from "../../http/settings.js";
import {
  defineProvider,
  type Provider,
  type ProviderDefaults,
  type ProviderOperations,
} from "../../provider.js";
import type { EmbeddingTraits } from "../../traits.js";

/** A provider of embeddings alone, with a bearer key and no settings of its own. */
export interface EmbeddingProvider {
  readonly name: string;
  readonly genAiName?: string;
  readonly title: string;
  readonly baseUrl: ReturnType<typeof baseUrlSetting> | z.ZodURL;
  readonly apiKey: z.ZodString | typeof optionalApiKey;
  readonly defaults?: ProviderDefaults;
  readonly embeddings: (model: string) => EmbeddingTraits;
  /** The models that the docs show. */
  readonly models: readonly string[];
  readonly readError: ReadError;
  readonly createEmbedding: (
    send: Send,
    buffers: BufferPool,
  ) => NonNullable<ProviderOperations["createEmbedding"]>;
}

/** Creates such a provider. */
export function defineEmbeddingProvider(definition: EmbeddingProvider): Provider {
  const {
    name,
    genAiName,
    title,
    baseUrl,
    apiKey,
    defaults = {},
    embeddings,
    models,
    readError,
  } = definition;
  return defineProvider({
    name,
    ...(genAiName === undefined ? {} : { genAiName }),
    title,
    settings: z
      .strictObject({ provider: z.literal(name), baseUrl, apiKey, ...remoteSettings })
      .superRefine(checkNetworkSettings, unlessNetworkFaulty),
    defaults,
    embeddings,
    examples: { embeddings: models },
    describe: describeRemote,
    open: async (settings, tools) => {
      const client = new UpstreamClient(
        { ...settings, authentication: bearer(settings.apiKey), readError },
        tools,
      );
      return {
        operations: {
          createEmbedding: definition.createEmbedding(
            (request, call) => client.send(request, call),
            tools.buffers,
          ),
        },
        unavailable: () => undefined,
        close: () => client.close(),
      };
    },
  });
}
