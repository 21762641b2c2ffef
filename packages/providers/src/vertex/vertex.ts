import { resolve } from "node:path";
import { z } from "zod";
import { embeddingTraits } from "../dialects/embeddings/embedding-traits.js";
import { defaultTokensMax, googleInputTypes } from "../dialects/google/embeddings.js";
import { readGoogleError } from "../dialects/google/errors.js";
import { createGeminiImageOperations, geminiImageProfile } from "../dialects/google/images.js";
import { imageTraits } from "../dialects/images/image-traits.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { baseUrlSetting, textSetting } from "../http/remote-settings.js";
import { refuseHeader } from "../http/settings.js";
import type { EmbeddingTraits } from "../traits.js";
import { createVertexContentEmbedding, createVertexEmbedding, embedContentVariant } from "./embeddings.js";
import { createGoogleToken } from "./google-token.js";

/** Without a fact about a model. */
const dialect: EmbeddingTraits = {
  maxInputs: 1,
  maxTokensPerRequest: 20_000,
  maxTokens: defaultTokensMax,
  encodings: ["float"],
  inputTypes: googleInputTypes,
  dimensions: "pass",
  tooLong: "refused",
  unitVectors: "not-always",
  takesUser: false,
};

/** Google's models in a Google Cloud project. https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest */
export const vertexProvider = defineRemoteProvider({
  name: "vertex",
  genAiName: "gcp.vertex_ai",
  title: "Google Vertex AI",
  settings: {
    baseUrl: baseUrlSetting(
      "The address of the API, with its version. Default: https://{location}-aiplatform.googleapis.com/v1.",
    ).optional(),
    project: z
      .string()
      .regex(/^[\w.:-]{1,100}$/, "must be the id of a project")
      .describe("The id of the project."),
    location: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/, "must be a location such as europe-west4, or global")
      .describe("The location, such as europe-west4, or global."),
    credentialsFile: textSetting(
      "The path of a credentials file: a service account key, an external account or an authorized user. Default: the machine's metadata server.",
    ).optional(),
  },
  rule: {
    keys: ["headers"],
    check: ({ headers }, context) => refuseHeader({ name: "authorization", headers }, context),
  },
  embeddings: ({ facts }) => embeddingTraits(facts, dialect),
  variants: [embedContentVariant],
  // There are no masks: an edit describes the change in words.
  images: ({ facts }) => imageTraits(facts, { profile: geminiImageProfile }),
  environment: {
    settings: {
      location: { variables: ["GOOGLE_CLOUD_LOCATION"], isRequired: true },
      project: { variables: ["GOOGLE_CLOUD_PROJECT"], isRequired: true },
      credentialsFile: { variables: ["GOOGLE_APPLICATION_CREDENTIALS"], isRequired: true },
    },
  },
  usesMachineCredentials: ({ credentialsFile }) => credentialsFile === undefined,
  baseUrlOf: ({ baseUrl, location }) =>
    baseUrl ?? `https://${location === "global" ? "" : `${location}-`}aiplatform.googleapis.com/v1`,
  describe: ({ credentialsFile: file, ...settings }, directory) => ({
    hasKey: true,
    settings: { ...settings, ...(file === undefined ? {} : { credentialsFile: resolve(directory, file) }) },
  }),
  authenticate: createGoogleToken,
  readError: readGoogleError,
  open: (send, { settings: { project, location } }) => {
    const models = `/projects/${encodeURIComponent(project)}/locations/${location}/publishers/google/models/`;
    const pathOf = (model: string): string => `${models}${encodeURIComponent(model)}`;
    return {
      operations: {
        createEmbedding: createVertexEmbedding(send, pathOf),
        createContentEmbedding: createVertexContentEmbedding(send, pathOf),
        ...createGeminiImageOperations(send, pathOf),
      },
    };
  },
});
