import { awsCredentialSettings } from "../http/credentials/aws/settings.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { embeddingFamilyOf, unknownEmbeddingTraits } from "./embedding-families.js";
import { createBedrockContentEmbedding, createBedrockEmbedding } from "./embeddings.js";
import { bedrockEnvironment } from "./environment.js";
import { readBedrockError } from "./errors.js";
import { createBedrockImages, imageFamilyOf } from "./images.js";
import { createInvoke } from "./invoke.js";
import { findAuthentication } from "./request-signer.js";
import { bedrockSettings, checkSettings } from "./settings.js";
import { stabilityGenerate } from "./stability-images.js";

/** Amazon, Cohere and Stability AI models, in an AWS account. */
export const bedrockProvider = defineRemoteProvider({
  name: "bedrock",
  genAiName: "aws.bedrock",
  title: "AWS Bedrock",
  settings: bedrockSettings,
  rule: {
    keys: ["baseUrl", "apiKey", "headers", "region", ...Object.keys(awsCredentialSettings)],
    check: checkSettings,
  },
  embeddings: (model) => embeddingFamilyOf(model)?.traits ?? unknownEmbeddingTraits,
  images: (model) => (imageFamilyOf(model) ?? stabilityGenerate).traits,
  environment: bedrockEnvironment,
  // A profile is a file of this machine.
  usesMachineCredentials: ({ apiKey, accessKeyId }) => apiKey === undefined && accessKeyId === undefined,
  baseUrlOf: ({ baseUrl, region }) => baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`,
  // Credentials of the platform are found when the upstream is opened, so they count as a key here.
  describe: () => ({ hasKey: true }),
  authenticate: (settings, tools) => findAuthentication(settings, tools) ?? [],
  readError: readBedrockError,
  open: (send, { settings, tools }) => {
    const invoke = createInvoke(send, settings.inferenceProfiles ?? {});
    const hasCredentials = findAuthentication(settings, tools) !== undefined;
    return {
      operations: {
        createEmbedding: createBedrockEmbedding(invoke),
        createContentEmbedding: createBedrockContentEmbedding(invoke),
        ...createBedrockImages(invoke),
      },
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
    "Set accessKeyId and secretAccessKey, or apiKey. The environment and AWS's files have no credentials, and AWS_EC2_METADATA_DISABLED is true.",
};

function unknownModel(model: string) {
  return {
    reason: "The gateway does not know this model.",
    detail: `No family of models for "${model}". For your own inference profile, name its foundation model on the target, and the profile in inferenceProfiles of the upstream.`,
  };
}
