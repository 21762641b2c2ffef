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

export const openRouterHost = "openrouter.ai";
const ownTokenUrl = "https://openrouter.ai/api/v1/oauth/token";

export const federationSetting = z
  .strictObject({
    policyId: textSetting("The id of the federation policy, from OpenRouterCredentials, Workload identity."),
    ...federationSettings,
  })
  .optional()
  .describe(
    "Workload identity federation instead of a key: a token of your own identity provider is exchanged for one of OpenRouter.",
  );

interface OpenRouterCredentials extends Pick<ConnectionSettings, "proxy" | "tls"> {
  readonly apiKey?: string | undefined;
  readonly federation?: z.output<typeof federationSetting>;
}

/** https://openrouter.ai/docs/guides/overview/auth/workload-identity-federation */
export function authenticateAtOpenRouter(
  { apiKey, federation, ...connection }: OpenRouterCredentials,
  { clock, timeOfDay, secrets }: ProviderTools,
): Authentication {
  if (federation === undefined) return bearer(apiKey);
  const { policyId, tokenFile, tokenUrl = ownTokenUrl } = federation;
  return federatedToken({
    ...{ clock, timeOfDay, secrets },
    connection,
    source: `the federation policy ${policyId}`,
    url: tokenUrl,
    tokenFile,
    requestWith: (subject_token) => ({
      type: "application/x-www-form-urlencoded",
      body: new URLSearchParams({
        grant_type: exchangeGrant,
        subject_token_type: jwtType,
        subject_token,
        federation_policy_id: policyId,
      }).toString(),
    }),
  });
}
