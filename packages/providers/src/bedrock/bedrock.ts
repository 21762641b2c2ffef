import { awsCredentialSettings } from "../http/credentials/aws/settings.js";
import { defineRemoteProvider } from "../http/remote-provider.js";
import { type ModelAt, unservedVariant } from "../provider.js";
import { embeddingTraitsOf, embeddingVariants } from "./embedding-families.js";
import { createBedrockContentEmbedding, createBedrockEmbedding } from "./embeddings.js";
import { bedrockEnvironment } from "./environment.js";
import { readBedrockError } from "./errors.js";
import { createBedrockImages, imageTraitsOf, imageVariants } from "./images.js";
import { createInvoke, modelIdOf } from "./invoke.js";
import { findAuthentication } from "./request-signer.js";
import { bedrockSettings, checkSettings } from "./settings.js";

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
  embeddings: ({ facts }) => embeddingTraitsOf(facts),
  images: ({ facts }) => imageTraitsOf(facts),
  nameInCatalogue: modelIdOf,
  variants: [...embeddingVariants, ...imageVariants],
  unserved,
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
      ...(hasCredentials ? {} : { unavailable: () => noCredentials }),
    };
  },
});

const noCredentials = {
  reason: "The gateway has no credentials for the upstream.",
  detail:
    "Set accessKeyId and secretAccessKey, or apiKey. The environment and AWS's files have no credentials, and AWS_EC2_METADATA_DISABLED is true.",
};

function unserved(model: ModelAt): string | undefined {
  const variants = [...embeddingVariants, ...imageVariants];
  const reason = unservedVariant(
    { title: "Bedrock", variants, needs: { embedding: "variant", image: "variant" } },
    model,
  );
  if (reason === undefined) return undefined;
  return `${reason} For your own inference profile, name its foundation model on the target, and the profile in inferenceProfiles of the upstream.`;
}
