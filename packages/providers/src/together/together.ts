import type { EmbeddingBatch } from "@model-gateway/domain/requests";
import type { ModelTarget } from "../call.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { withLocatedInputs } from "../dialects/embeddings/locate-input.js";
import { fieldMapOf, fieldMapsSetting, traitsOfFields } from "../dialects/jobs/field-map.js";
import { callersNames } from "../dialects/jobs/model-input.js";
import { createEmbeddingOperation } from "../dialects/openai/create-embedding.js";
import { readOpenAiError } from "../dialects/openai/errors.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { createTogetherImages } from "./images.js";

/** Without a fact about a model. */
const dialect: EmbeddingTraits = {
  encodings: ["float"],
  dimensions: "emulate",
  // Neither is documented.
  tooLong: "unknown",
  unitVectors: "not-always",
  takesUser: false,
};

/** Together's serverless models. https://docs.together.ai/reference */
export const togetherProvider = defineRemoteProvider({
  name: "together",
  title: "Together AI",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the service, up to and including /v1.",
      "https://api.together.ai/v1",
    ),
    apiKey: requiredApiKey,
    models: fieldMapsSetting,
  },
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
  images: (model) => traitsOfFields(`together ${model.name}`, fieldMapOf(model)),
  environment: {
    settings: { apiKey: { variables: ["TOGETHER_API_KEY"], isRequired: true } },
  },
  readError: readTogetherError,
  open: (send, { settings, tools }) => ({
    operations: {
      createEmbedding: withLocatedInputs(createEmbeddingOperation(send, tools.buffers, { bodyOf })),
      ...createTogetherImages(send, {
        buffers: tools.buffers,
        fieldsOf: ({ model, facts }) => fieldMapOf({ name: model, facts, settings }),
      }),
    },
  }),
});

function bodyOf({ inputs }: EmbeddingBatch, { model }: ModelTarget): object {
  return { model, input: inputs };
}

/**
 * OpenAI's error object, which has no code for either case. Together's guide to images says that its safety checker,
 * which finds NSFW words, responds with a 422; other refusals have that status as well, so the words decide.
 */
export function readTogetherError(reply: ErrorReply): ReportedError {
  const reported = readOpenAiError(reply, callersNames);
  const { message = "" } = reported;
  if (reply.status < 400 || reply.status > 499) return reported;
  if (reply.status === 422 && /\bNSFW\b|\bsafety\b/i.test(message))
    return { ...reported, code: "moderation_blocked" };
  const isMistake = reply.status === 400 || reply.status === 413 || reply.status === 422;
  if (isMistake && /less than \d+ tokens|maximum context length|too many tokens/i.test(message))
    return { ...reported, code: "context_length_exceeded", param: "input" };
  return reported;
}
