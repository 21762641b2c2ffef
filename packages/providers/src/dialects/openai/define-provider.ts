import { imageProfiles } from "@model-gateway/domain/image-profiles";
import type { z } from "zod";
import type { Authentication } from "../../http/credentials/authentication.js";
import {
  defineRemoteProvider,
  type RemoteProvider,
  type RemoteSettings,
} from "../../http/remote-provider.js";
import { baseUrlSetting, linkSettings, optionalApiKey, requiredApiKey } from "../../http/remote-settings.js";
import type { Provider, ProviderFacts } from "../../provider.js";
import type { EmbeddingTraits } from "../../traits.js";
import { imageTraits } from "../images/image-traits.js";
import { createProvenanceCheck } from "./check-provenance.js";
import {
  type ContentDialect,
  createContentOperation,
  createEmbeddingOperation,
  type EmbeddingDialect,
} from "./create-embedding.js";
import { readOpenAiError } from "./errors.js";
import { createListModels, discoveryRules, discoverySettings } from "./list-models.js";
import { createOpenAiOperations, type ServerDialect } from "./operations.js";

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

const serverSettings = { apiKey: optionalApiKey, ...linkSettings, ...discoverySettings };

/** A server with OpenAI's embeddings, images and model list. */
interface OpenAiServer<Shape extends z.ZodRawShape>
  extends Pick<
      RemoteProvider<Shape & typeof serverSettings>,
      "name" | "title" | "embeddings" | "examples" | "environment" | "servers" | "presets"
    >,
    Pick<
      RemoteProvider<Shape & typeof serverSettings>,
      "rule" | "baseUrlOf" | "lacks" | "authenticate" | "usesMachineCredentials"
    > {
  /** Its address, and further settings. */
  readonly settings: Shape;
  /** Its settings with whole paths. Default: it has none. */
  readonly complete?: (
    settings: RemoteSettings<Shape & typeof serverSettings>,
    directory: string,
  ) => RemoteSettings<Shape & typeof serverSettings>;
  /** Default: OpenAI's own images. */
  readonly images?: NonNullable<ProviderFacts["images"]>;
  /** Its differences from OpenAI, by its settings. */
  readonly dialect?: (settings: RemoteSettings<Shape & typeof serverSettings>) => ServerDialect;
}

/** Creates such a server's provider: a bearer key, and all of OpenAI's operations. */
export function defineOpenAiServer<Shape extends z.ZodRawShape>({
  settings,
  dialect,
  complete = (given) => given,
  ...server
}: OpenAiServer<Shape>): Provider {
  return defineRemoteProvider<Shape & typeof serverSettings>({
    images: ({ facts }) => imageTraits(facts, { profile: imageProfiles["gpt-image"], mask: "alpha" }),
    ...server,
    settings: { ...settings, ...serverSettings },
    defaults: { acceptsUnknown: true },
    checksProvenance: true,
    readError: readOpenAiError,
    describe: (given, directory) => {
      // TypeScript does not follow a shape that is generic.
      const { discover, discoverEveryMs: everyMs } = given as RemoteSettings<typeof serverSettings>;
      const rules = discoveryRules(discover);
      return {
        settings: complete(given, directory),
        ...(rules.length === 0 ? {} : { discovery: { everyMs, rules } }),
      };
    },
    open: (send, { settings: given, tools }) => ({
      operations: createOpenAiOperations(send, { ...tools, ...dialect?.(given) }),
      listModels: createListModels(send),
      checkProvenance: createProvenanceCheck(send),
    }),
  });
}

/** A provider of embeddings whose API is OpenAI's but for some fields. */
interface OpenAiLike
  extends EmbeddingDialect,
    Pick<ProviderFacts, "name" | "genAiName" | "title" | "embeddings" | "variants" | "environment">,
    Pick<RemoteProvider<z.ZodRawShape>, "readError"> {
  readonly baseUrl: string;
  /** Where the key goes, such as into a header of another name. Default: a bearer token. */
  readonly authenticate?: (settings: { readonly apiKey: string }) => Authentication;
  /** Inputs with images. Absent: its models take text alone. */
  readonly contents?: ContentDialect;
}

/** Creates such a provider: `POST /embeddings`, and OpenAI's reply. */
export function defineOpenAiLike({ baseUrl, ...like }: OpenAiLike): Provider {
  const { pathOf, bodyOf, batchPhrases, nameInput, contents, ...facts } = like;
  const dialect = { pathOf, bodyOf, batchPhrases, nameInput };
  return defineRemoteProvider({
    ...facts,
    settings: {
      baseUrl: baseUrlSetting("The address of the API, with its version.", baseUrl),
      apiKey: requiredApiKey,
    },
    open: (send, { tools }) => ({
      operations: {
        createEmbedding: createEmbeddingOperation(send, tools.buffers, dialect),
        ...(contents && {
          createContentEmbedding: createContentOperation(send, tools.buffers, { batchPhrases, ...contents }),
        }),
      },
    }),
  });
}
