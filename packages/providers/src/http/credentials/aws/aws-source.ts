import type { AwsCredentials } from "@model-gateway/domain/aws-signature";
import { isObject } from "@model-gateway/runtime/json";
import type { ProviderTools } from "../../../provider.js";
import type { IssuedValue, IssueValue } from "../credential.js";

export type AwsEnvironment = ProviderTools["environment"];

/** The surroundings of sources of AWS credentials. No request of theirs goes through an upstream's proxy. */
export interface AwsTools extends Pick<ProviderTools, "environment" | "timeOfDay"> {
  /** The region of token services, if neither the environment nor a profile has one. */
  readonly region?: string | undefined;
}

/** A place where credentials are found or issued. */
export interface AwsSource {
  /** In words that complete "from". */
  readonly source: string;
  readonly issue: IssueValue<AwsCredentials>;
}

/** Credentials that are known and do not expire. */
export function knownCredentials(source: string, value: AwsCredentials): AwsSource {
  return { source, issue: async () => ({ value, lifetimeMs: Number.POSITIVE_INFINITY }) };
}

/** A value that is empty counts as absent. */
export function accessKeyOf(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): AwsCredentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
}

/** The access key in the environment. */
export function keyOfEnvironment(environment: AwsEnvironment): AwsSource | undefined {
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret, AWS_SESSION_TOKEN: token } = environment;
  const found = accessKeyOf(id, secret, token);
  return found && knownCredentials("the access key in the environment", found);
}

/** The services spell the session token in two ways, and STS sends the time as seconds since 1970. */
export function readCredentials(reply: unknown, timeOfDay: () => number): IssuedValue<AwsCredentials> {
  if (!isObject(reply)) throw new Error("The issuer's reply has no credentials.");
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Expiration: expiration } = reply;
  const sessionToken = reply.Token ?? reply.SessionToken;
  const expiresAt = typeof expiration === "number" ? expiration * 1000 : Date.parse(String(expiration));
  const lifetimeMs = expiresAt - timeOfDay();
  if (!isText(accessKeyId) || !isText(secretAccessKey) || !isText(sessionToken))
    throw new Error("The issuer's reply has no credentials.");
  if (!(lifetimeMs > 0)) throw new Error("The issuer's credentials have expired, or do not say when.");
  return { value: { accessKeyId, secretAccessKey, sessionToken }, lifetimeMs };
}

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
