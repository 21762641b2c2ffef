import type { EnvironmentDetection, OfferedModels } from "../detection.js";

/**
 * The credentials are those that `findCredentials` reads, without the role of an instance, which only a call can find.
 * The region must be set: AWS's files in the home folder are not read.
 */
export const bedrockEnvironment: EnvironmentDetection = {
  settings: {
    region: { variables: ["AWS_REGION", "AWS_DEFAULT_REGION"], isRequired: true },
    baseUrl: { variables: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] },
  },
  credentials: [
    ["AWS_BEARER_TOKEN_BEDROCK"],
    ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
    ["AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN"],
    ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
    ["AWS_CONTAINER_CREDENTIALS_FULL_URI"],
  ],
  models: modelsIn,
};

/**
 * The models that can be called by their plain id. The others need an inference profile.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-regions.html
 */
function modelsIn({ region }: Readonly<Record<string, string>>): OfferedModels {
  return {
    embedding: {
      "amazon.titan-embed-text-v2:0": { dimensions: 1024, matryoshka: true },
      "cohere.embed-english-v3": { dimensions: 1024, inputType: "document" },
      "cohere.embed-multilingual-v3": { dimensions: 1024, inputType: "document" },
      ...(region === "us-east-1"
        ? {
            "amazon.nova-2-multimodal-embeddings-v1:0": {
              dimensions: 3072,
              matryoshka: true,
              inputType: "document",
            },
          }
        : {}),
    },
    ...(region === "us-west-2"
      ? {
          image: {
            "stability.stable-image-core-v1:1": {},
            "stability.stable-image-ultra-v1:1": {},
            "stability.sd3-5-large-v1:0": {},
          },
        }
      : {}),
  };
}
