import { baseUrlSetting, requiredApiKey } from "../../http/remote-settings.js";
import type { Provider } from "../../provider.js";
import { defineEmbeddingProvider, type EmbeddingProvider } from "../embeddings/embedding-provider.js";
import { createEmbeddingOperation, type EmbeddingDialect } from "./create-embedding.js";

/** A provider of embeddings whose API is OpenAI's but for some fields. */
export interface OpenAiLike
  extends EmbeddingDialect,
    Pick<EmbeddingProvider, "name" | "genAiName" | "title" | "embeddings" | "models" | "readError"> {
  readonly baseUrl: string;
}

/** Creates such a provider: a bearer key, `POST /embeddings`, and OpenAI's reply. */
export function defineOpenAiLike(like: OpenAiLike): Provider {
  return defineEmbeddingProvider({
    ...like,
    baseUrl: baseUrlSetting("The address of the API, with its version.", like.baseUrl),
    apiKey: requiredApiKey,
    createEmbedding: (send, buffers) => createEmbeddingOperation(send, buffers, like),
  });
}
