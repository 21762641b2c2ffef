import { cohereInputTypes } from "../dialects/cohere.js";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { parseObject, textOf } from "../http/errors/read-error.js";
import type { ErrorReply, ReportedError } from "../http/errors/upstream-errors.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, requiredApiKey } from "../http/remote-settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { createCohereContentEmbedding, createCohereEmbedding } from "./embeddings.js";

/** Without a fact about a model. */
const dialect: EmbeddingTraits = {
  maxInputs: 96,
  encodings: ["float", "base64"],
  inputTypes: cohereInputTypes,
  requiresInputType: true,
  dimensions: "emulate",
  tooLong: "refused",
  unitVectors: "unknown",
  takesUser: false,
};

/** https://docs.cohere.com/v2/reference/embed */
export const cohereProvider = defineRemoteProvider({
  name: "cohere",
  title: "Cohere",
  settings: {
    baseUrl: baseUrlSetting("The address of the API, with its version.", "https://api.cohere.com/v2"),
    apiKey: requiredApiKey,
  },
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
  environment: {
    settings: {
      apiKey: { variables: ["COHERE_API_KEY", "CO_API_KEY"], isRequired: true },
      baseUrl: { variables: ["CO_API_URL"], path: "/v2" },
    },
  },
  readError: readCohereError,
  open: (send) => ({
    operations: {
      createEmbedding: createCohereEmbedding(send),
      createContentEmbedding: createCohereContentEmbedding(send),
    },
  }),
});

/** `{"id", "message"}`, with some statuses that only Cohere has. https://docs.cohere.com/v2/reference/errors */
export function readCohereError({ status, body }: ErrorReply): ReportedError {
  const message = textOf(parseObject(body)?.message) ?? "";
  const reported = message === "" ? {} : { message };
  // A trial key has a number of calls for each month. Waiting does not help.
  if (status === 429 && /per month|monthly/i.test(message))
    return { ...reported, code: "insufficient_quota" };
  // The text has a word that is on a deny list.
  if (status === 498) return { ...reported, code: "content_policy_violation" };
  if (status === 501) return { ...reported, code: "upstream_rejected" };
  if (status === 400 && /too many tokens|too long/i.test(message)) {
    const index = /index (\d+)/i.exec(message)?.[1];
    const param = index === undefined ? "input" : `input[${index}]`;
    return { ...reported, code: "context_length_exceeded", param };
  }
  return reported;
}
