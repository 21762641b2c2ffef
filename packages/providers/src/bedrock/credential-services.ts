import { readFile } from "node:fs/promises";
import type { AwsCredentials } from "@model-gateway/domain/aws-signature";
import { isObject, objectAt } from "@model-gateway/runtime/json";
import type { IssuedValue, IssueValue } from "../http/credentials/expiring-value.js";
import { requestFromIssuer } from "../http/credentials/request-token.js";
import { parseObject } from "../http/errors/read-error.js";
import type { ProviderTools } from "../provider.js";

/* AWS services that issue temporary credentials. None goes through the upstream's proxy. */

export type IssueCredentials = IssueValue<AwsCredentials>;
type Environment = ProviderTools["environment"];
type TimeOfDay = ProviderTools["timeOfDay"];

/**
 * A role for another identity provider's token, such as an EKS service account's.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export function webIdentityCredentials(
  environment: Environment,
  region: string | undefined,
  timeOfDay: TimeOfDay,
): IssueCredentials | undefined {
  const { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: role } = environment;
  if (!file || !role) return undefined;
  const url = environment.AWS_ENDPOINT_URL_STS || `https://sts.${region}.amazonaws.com/`;
  return async (signal) => {
    const body = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: role,
      RoleSessionName: environment.AWS_ROLE_SESSION_NAME || "model-gateway",
      // The platform replaces the file before the token in it expires.
      WebIdentityToken: (await readFile(file, { encoding: "utf8", signal })).trim(),
    });
    const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
    const reply = parseObject(
      await requestFromIssuer({ method: "POST", url, headers, body: body.toString(), signal }),
    );
    const result = objectAt(
      objectAt(reply ?? {}, "AssumeRoleWithWebIdentityResponse"),
      "AssumeRoleWithWebIdentityResult",
    );
    return readCredentials(result.Credentials, timeOfDay);
  };
}

const taskOrigin = "http://169.254.170.2";
/** The ECS and EKS Pod Identity addresses. Over http, a token must go nowhere else. */
const containerHosts = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "localhost", "[::1]"]);

/**
 * The credentials of an ECS task or an EKS pod.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export function containerCredentials(
  environment: Environment,
  timeOfDay: TimeOfDay,
): IssueCredentials | undefined {
  const relative = environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative ? `${taskOrigin}${relative}` : environment.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!url) return undefined;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } =
    environment;
  return async (signal) => {
    if (!mayHaveToken(url))
      throw new Error("AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor an address of the platform.");
    const authorization = file ? (await readFile(file, { encoding: "utf8", signal })).trim() : token;
    const headers = authorization ? { authorization } : {};
    const reply = await requestFromIssuer({ method: "GET", url, headers, signal });
    return readCredentials(parseObject(reply), timeOfDay);
  };
}

function mayHaveToken(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || containerHosts.has(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * An instance role's credentials, from its metadata service (version 2).
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-metadata-security-credentials.html
 */
export function instanceCredentials(
  environment: Environment,
  timeOfDay: TimeOfDay,
): IssueCredentials | undefined {
  if (environment.AWS_EC2_METADATA_DISABLED?.toLowerCase() === "true") return undefined;
  const given = environment.AWS_EC2_METADATA_SERVICE_ENDPOINT || "http://169.254.169.254";
  const origin = given.replace(/\/+$/, "");
  const roles = `${origin}/latest/meta-data/iam/security-credentials/`;
  return async (signal) => {
    const token = await requestFromIssuer({
      method: "PUT",
      url: `${origin}/latest/api/token`,
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
      signal,
    });
    const headers = { "x-aws-ec2-metadata-token": token };
    const listed = await requestFromIssuer({ method: "GET", url: roles, headers, signal });
    const role = encodeURIComponent(listed.split("\n", 1)[0]?.trim() ?? "");
    const reply = await requestFromIssuer({ method: "GET", url: `${roles}${role}`, headers, signal });
    return readCredentials(parseObject(reply), timeOfDay);
  };
}

/** The services spell the session token in two ways, and STS sends the time as seconds since 1970. */
function readCredentials(reply: unknown, timeOfDay: TimeOfDay): IssuedValue<AwsCredentials> {
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

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
