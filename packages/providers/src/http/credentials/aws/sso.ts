import { createHash } from "node:crypto";
import { join } from "node:path";
import { objectAt } from "@model-gateway/runtime/json";
import { parseObject } from "../../errors/read-error.js";
import { readSmallFile } from "../read-token-file.js";
import { requestFromIssuer } from "../request-token.js";
import { type AwsSource, type AwsTools, isText, readCredentials } from "./aws-source.js";
import { awsFolder, type Section } from "./profile-file.js";
import { awsHost } from "./sts.js";

/** A sign-in by a browser, whose token the AWS command line keeps. */
interface SingleSignOn {
  readonly profile: string;
  readonly accountId: string;
  readonly roleName: string;
  readonly region: string;
  /** The name of the session, or the start page: the file with the token is named after it. */
  readonly cacheKey: string;
}

/** Undefined for a profile without single sign-on. */
export function readSingleSignOn(
  profile: string,
  section: Section,
  session: Section | undefined,
): SingleSignOn | undefined {
  const { sso_account_id: accountId, sso_role_name: roleName, sso_session: name } = section;
  const { sso_region: region, sso_start_url: startUrl } = { ...section, ...session };
  const cacheKey = name ?? startUrl;
  if (!accountId || !roleName || !region || !cacheKey) return undefined;
  return { profile, accountId, roleName, region, cacheKey };
}

/**
 * The role of a person who has signed in.
 * https://docs.aws.amazon.com/singlesignon/latest/PortalAPIReference/API_GetRoleCredentials.html
 */
export function singleSignOnCredentials(sign: SingleSignOn, tools: AwsTools): AwsSource {
  const { accountId, roleName, region, profile } = sign;
  const { environment, timeOfDay } = tools;
  const issue = async (signal: AbortSignal) => {
    const token = await readCachedToken(sign, tools);
    const origin = environment.AWS_ENDPOINT_URL_SSO || `https://${awsHost("portal.sso", region)}`;
    const url = new URL("/federation/credentials", origin);
    url.searchParams.set("account_id", accountId);
    url.searchParams.set("role_name", roleName);
    const headers = { "x-amz-sso_bearer_token": token };
    const reply = await requestFromIssuer({ method: "GET", url: url.href, headers, signal });
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = objectAt(
      parseObject(reply) ?? {},
      "roleCredentials",
    );
    return readCredentials(
      {
        AccessKeyId: accessKeyId,
        SecretAccessKey: secretAccessKey,
        SessionToken: sessionToken,
        Expiration: Number(expiration) / 1000,
      },
      timeOfDay,
    );
  };
  return { source: `the sign-in of the profile ${profile}, as ${roleName} of ${accountId}`, issue };
}

async function readCachedToken(
  { profile, cacheKey }: SingleSignOn,
  { environment, timeOfDay }: AwsTools,
): Promise<string> {
  const name = `${createHash("sha1").update(cacheKey).digest("hex")}.json`;
  const signIn = `run "aws sso login --profile ${profile}"`;
  const text = await readSmallFile(join(awsFolder(environment) ?? "", "sso", "cache", name)).catch(() => {
    throw new Error(`Nobody has signed in for the profile ${profile}; ${signIn}.`);
  });
  const { accessToken, expiresAt } = parseObject(text) ?? {};
  if (!isText(accessToken)) throw new Error(`The sign-in of the profile ${profile} has no token; ${signIn}.`);
  if (!(Date.parse(String(expiresAt)) > timeOfDay()))
    throw new Error(`The sign-in of the profile ${profile} has expired; ${signIn}.`);
  return accessToken;
}
