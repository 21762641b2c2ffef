import { UpstreamClient } from "../http/send.js";
import { defineProvider } from "../provider.js";
import { findCredentials } from "./credentials.js";
import { embeddingFamilyOf, unknownEmbeddingTraits } from "./embedding-families.js";
import { createBedrockEmbedding } from "./embeddings.js";
import { readBedrockError } from "./errors.js";
import { createBedrockImages, imageFamilyOf } from "./images.js";
import { createInvoke } from "./invoke.js";
import { authenticationFor } from "./request-signer.js";
import { baseUrlOf, bedrockSettings, describeBedrock } from "./settings.js";
import { stabilityGenerate } from "./stability-images.js";

/** Models of Amazon, Cohere and Stability AI, in an account at AWS. */
export const bedrockProvider = defineProvider({
  name: "bedrock",
  genAiName: "aws.bedrock",
  title: "AWS Bedrock",
  settings: bedrockSettings,
  defaults: {},
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
  describe: describeBedrock,
  open: async (settings, tools) => {
    const { region = "", inferenceProfiles = {} } = settings;
    const source = findCredentials(settings, tools);
    const authentication = authenticationFor(source, region, tools);
    const baseUrl = baseUrlOf(settings);
    const client = new UpstreamClient(
      { ...settings, baseUrl, authentication, readError: readBedrockError },
      tools,
    );
    const invoke = createInvoke((request, call) => client.send(request, call), inferenceProfiles);
    return {
      operations: { createEmbedding: createBedrockEmbedding(invoke), ...createBedrockImages(invoke) },
      unavailable: (model) => {
        if (source.kind === "none") return noCredentials;
        const isKnown = embeddingFamilyOf(model) !== undefined || imageFamilyOf(model) !== undefined;
        return isKnown ? undefined : unknownModel(model);
      },
      close: () => client.close(),
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
    detail: `No family of models for "${model}". For an inference profile of your own, name its foundation model on the target, and the profile in inferenceProfiles of the upstream.`,
  };
}
