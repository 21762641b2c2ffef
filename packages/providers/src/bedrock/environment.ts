import type { EnvironmentDetection } from "../detection.js";

/**
 * The credentials are those of `findAuthentication`, without the role of an instance, which only a call can find. The
 * region must be set.
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
    ["AWS_PROFILE"],
    ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"],
    ["AWS_CONTAINER_CREDENTIALS_FULL_URI"],
  ],
};
