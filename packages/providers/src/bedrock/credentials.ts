import type { AwsCredentials } from "@model-gateway/domain/aws-signature";
import type { ProviderTools } from "../provider.js";
import {
  containerCredentials,
  type IssueCredentials,
  instanceCredentials,
  webIdentityCredentials,
} from "./credential-services.js";

/** A source of credentials: known values, or a platform service that issues them. */
export type CredentialSource =
  | { readonly kind: "key"; readonly apiKey: string }
  | { readonly kind: "fixed"; readonly credentials: AwsCredentials }
  | { readonly kind: "issued"; readonly issue: IssueCredentials }
  | { readonly kind: "none" };

export interface CredentialSettings extends Partial<Record<keyof AwsCredentials, string | undefined>> {
  readonly region?: string | undefined;
  readonly apiKey?: string | undefined;
}

/**
 * The settings come first. Without any, the places where AWS's own clients look, in their order: the environment, a web
 * identity, the container, the instance. Profiles and single sign-on are for people, and are not read.
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function findCredentials(
  settings: CredentialSettings,
  { environment, timeOfDay }: Pick<ProviderTools, "environment" | "timeOfDay">,
): CredentialSource {
  const { apiKey } = settings;
  if (apiKey !== undefined) return { kind: "key", apiKey };
  const given = pairOf(settings.accessKeyId, settings.secretAccessKey, settings.sessionToken);
  if (given !== undefined) return { kind: "fixed", credentials: given };
  const token = environment.AWS_BEARER_TOKEN_BEDROCK;
  if (token) return { kind: "key", apiKey: token };
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: session } = environment;
  const found = pairOf(id, secret, session);
  if (found !== undefined) return { kind: "fixed", credentials: found };
  const issue =
    webIdentityCredentials(environment, settings.region, timeOfDay) ??
    containerCredentials(environment, timeOfDay) ??
    instanceCredentials(environment, timeOfDay);
  return issue === undefined ? { kind: "none" } : { kind: "issued", issue };
}

/** A variable that is empty counts as absent. */
function pairOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): AwsCredentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}
