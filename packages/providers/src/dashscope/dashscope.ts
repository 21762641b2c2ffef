import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { BufferPool } from "@model-gateway/runtime/buffer-pool";
import type { ModelTarget } from "../call.js";
import { withLocatedInputs } from "../dialects/embeddings/locate-input.js";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { createEmbeddingOperation } from "../dialects/openai/create-embedding.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, linkSettings, requiredApiKey } from "../http/remote-settings.js";
import type { Send } from "../http/send.js";
import type { CreateEmbedding } from "../provider.js";
import { readDashScopeError } from "./errors.js";
import { createDashScopeImages } from "./images.js";
import { embeddingTraitsOf, imageTraitsOf, variants } from "./models.js";

/** Images are in buckets, one for each region. */
const resultHosts = ["*.aliyuncs.com"];

/** Alibaba Cloud's models: its native API for images, OpenAI's for embeddings. https://www.alibabacloud.com/help/en/model-studio */
export const dashScopeProvider = defineRemoteProvider({
  name: "dashscope",
  title: "Alibaba Cloud Model Studio",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the region or the workspace. A path such as /api/v1 or /compatible-mode/v1 at its end is ignored.",
      "https://dashscope-intl.aliyuncs.com",
    ),
    apiKey: requiredApiKey,
    ...linkSettings,
  },
  embeddings: ({ facts }) => embeddingTraitsOf(facts),
  images: ({ facts }) => imageTraitsOf(facts),
  variants,
  needs: { image: "variant" },
  environment: {
    settings: {
      apiKey: { variables: ["DASHSCOPE_API_KEY"], isRequired: true },
      baseUrl: { variables: ["DASHSCOPE_HTTP_BASE_URL"] },
    },
  },
  baseUrlOf: ({ baseUrl }) => baseUrl.replace(/\/(api|compatible-mode)\/v1\/?$/, ""),
  readError: readDashScopeError,
  open: (send, { settings, tools }) => ({
    operations: {
      createEmbedding: createEmbeddings(send, tools.buffers),
      ...createDashScopeImages(send, createResultLinks({ baseUrl: settings.baseUrl, hosts: resultHosts })),
    },
  }),
});

/** A refusal does not say which text is too long. */
function createEmbeddings(send: Send, buffers: BufferPool): CreateEmbedding {
  const compatible: Send = (request, call) =>
    send({ ...request, path: `/compatible-mode/v1${request.path}` }, call);
  return withLocatedInputs(createEmbeddingOperation(compatible, buffers, { bodyOf }));
}

function bodyOf({ inputs, dimensions }: EmbeddingBatch, { model }: ModelTarget): object {
  return { model, input: inputs, dimensions, encoding_format: "float" };
}
