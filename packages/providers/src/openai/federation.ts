import { z } from "zod";
import type { ConnectionSettings } from "../http/connection/connect.js";
import { type Authentication, bearer } from "../http/credentials/authentication.js";
import {
  exchangeGrant,
  federatedToken,
  federationSettings,
  jwtType,
} from "../http/credentials/federation.js";
import { textSetting } from "../http/remote-settings.js";
import type { ProviderTools } from "../provider.js";

export const openAiHost = "api.openai.com";
const ownTokenUrl = "https://auth.openai.com/oauth/token";

/** LiteLLM's variables. */
export const federationVariables = [
  "OPENAI_IDENTITY_PROVIDER_ID",
  "OPENAI_SERVICE_ACCOUNT_ID",
  "OPENAI_IDENTITY_TOKEN_FILE",
] as const;

const federation = z.strictObject({
  identityProviderId: textSetting("The id of the workload identity provider at OpenAI."),
  serviceAccountId: textSetting("The id of the service account at OpenAI."),
  ...federationSettings,
});

export const federationSetting = z
  .union([z.literal("environment").describe(`The variables ${federationVariables.join(", ")}.`), federation])
  .optional()
  .describe(
    "Workload identity federation instead of a key: a token of your own identity provider is exchanged for one of OpenAI.",
  );

interface OpenAiCredentials extends Pick<ConnectionSettings, "proxy" | "tls"> {
  readonly apiKey?: string | undefined;
  readonly federation?: z.output<typeof federationSetting>;
}

/** https://developers.openai.com/api/reference/workload-identity-federation */
export function authenticateAtOpenAi(
  { apiKey, federation: given, ...connection }: OpenAiCredentials,
  tools: ProviderTools,
): Authentication {
  if (given === undefined) return bearer(apiKey);
  const { identityProviderId, serviceAccountId, tokenFile, tokenUrl } =
    given === "environment" ? fromEnvironment(tools) : given;
  return federatedToken({
    clock: tools.clock,
    timeOfDay: tools.timeOfDay,
    secrets: tools.secrets,
    connection,
    source: `the workload identity of ${serviceAccountId}`,
    url: tokenUrl ?? ownTokenUrl,
    tokenFile,
    requestWith: (subject_token) => ({
      type: "application/json",
      body: JSON.stringify({
        grant_type: exchangeGrant,
        subject_token_type: jwtType,
        subject_token,
        identity_provider_id: identityProviderId,
        service_account_id: serviceAccountId,
      }),
    }),
  });
}

function fromEnvironment({ environment }: Pick<ProviderTools, "environment">): z.output<typeof federation> {
  const [identityProviderId = "", serviceAccountId = "", tokenFile = ""] = federationVariables.map(
    (name) => environment[name] ?? "",
  );
  return { identityProviderId, serviceAccountId, tokenFile };
}
