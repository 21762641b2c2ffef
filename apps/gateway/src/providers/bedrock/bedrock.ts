import { defineRemoteProvider } from "../http/remote-provider.js";
import { findCredentials } from "./credentials.js";
import { embeddingFamilyOf, unknownEmbeddingTraits } from "./embedding-families.js";
import { createBedrockEmbedding } from "./embeddings.js";
import { bedrockEnvironment } from "./environment.js";
import { readBedrockError } from "./errors.js";
import { createBedrockImages, imageFamilyOf } from "./images.js";
import { createInvoke } from "./invoke.js";
import { authenticationFor } from "./request-signer.js";
import { bedrockSettings, checkSettings } from "./settings.js";
import { stabilityGenerate } from "./stability-images.js";

/** Amazon, Cohere and Stability AI models, in an AWS account. */
export const bedrockProvider = defineRemoteProvider({
  name: "bedrock",
  genAiName: "aws.bedrock",
  title: "AWS Bedrock",
  settings: bedrockSettings,
  rule: {
    keys: ["baseUrl", "apiKey", "headers", "region", "accessKeyId", "secretAccessKey", "sessionToken"],
    check: checkSettings,
  },
  embeddings: (model) => embeddingFamilyOf(model)?.traits ?? unknownEmbeddingTraits,
  images: (model) => (imageFamilyOf(model) ?? stabilityGenerate).traits,
  examples: {
    embeddings: [
      "amazon.titan-embed-text-v2:0",
      "amazon.nova-2-multimodal-embeddings-v1:0",
      "cohere.embed-v4:0",
      "cohere.embed-english-v3",
    ],
    images: [
      "amazon.nova-canvas-v1:0",
      "amazon.titan-image-generator-v2:0",
      "stability.stable-image-core-v1:1",
      "stability.stable-image-inpaint-v1:0",
    ],
  },
  environment: bedrockEnvironment,
  baseUrlOf: ({ baseUrl, region }) => baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
  // Credentials of the platform are found when the upstream is opened, so they count as a key here.
  describe: () => ({ hasKey: true }),
  authenticate: (settings, tools) =>
    authenticationFor(findCredentials(settings, tools), settings.region ?? "", tools),
  readError: readBedrockError,
  open: (send, { settings, tools }) => {
    const invoke = createInvoke(send, settings.inferenceProfiles ?? {});
    const hasCredentials = findCredentials(settings, tools).kind !== "none";
    return {
      operations: { createEmbedding: createBedrockEmbedding(invoke), ...createBedrockImages(invoke) },
      unavailable: (model) => {
        if (!hasCredentials) return noCredentials;
        const isKnown = embeddingFamilyOf(model) !== undefined || imageFamilyOf(model) !== undefined;
        return isKnown ? undefined : unknownModel(model);
      },
    };
  },
});

const noCredentials = {
  reason: "The gateway has no credentials for the upstream.",
  detail:
    "Set accessKeyId and secretAccessKey, or apiKey. The environment has no AWS credentials, and AWS_EC2_METADATA_DISABLED is true.",
};

function unknownModel(model: string) {
  return {
    reason: "The gateway does not know this model.",
    detail: `No family of models for "${model}". For your own inference profile, name its foundation model on the target, and the profile in inferenceProfiles of the upstream.`,
  };
}
