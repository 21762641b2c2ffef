import { type AwsCredentials, Signer, sha256Hex } from "@model-gateway/domain/aws-signature";
import { objectAt } from "@model-gateway/runtime/json";
import { parseObject } from "../../errors/read-error.js";
import type { IssuedValue } from "../credential.js";
import { readTokenFile } from "../read-token-file.js";
import { requestFromIssuer } from "../request-token.js";
import { type AwsSource, type AwsTools, readCredentials } from "./aws-source.js";

/** A role that is assumed. */
export interface AwsRole {
  readonly arn: string;
  /** The id that the role's owner gave to those who assume it. */
  readonly externalId?: string | undefined;
  /** Default: `model-gateway`. */
  readonly sessionName?: string | undefined;
}

const defaultSession = "model-gateway";
const formHeaders = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

/**
 * A role for another identity provider's token, such as an EKS service account's.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
 */
export function webIdentityCredentials(
  { arn, sessionName = defaultSession }: Omit<AwsRole, "externalId">,
  file: string,
  tools: AwsTools,
): AwsSource {
  const issue = async (signal: AbortSignal) => {
    const body = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: arn,
      RoleSessionName: sessionName,
      // The platform replaces the file before the token in it expires.
      WebIdentityToken: await readTokenFile(file),
    }).toString();
    const { url } = endpointOf(tools);
    const reply = await requestFromIssuer({ method: "POST", url, headers: formHeaders, body, signal });
    return readResult(reply, "AssumeRoleWithWebIdentity", tools);
  };
  return { source: `the web identity of ${arn}`, issue };
}

/**
 * A role that other credentials may assume.
 * https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
 */
export function roleCredentials(role: AwsRole, base: AwsSource, tools: AwsTools): AwsSource {
  const source = `the role ${role.arn}, assumed with ${base.source}`;
  const issue = async (signal: AbortSignal) => {
    const { value, source: found } = await base.issue(signal);
    const body = new URLSearchParams({
      Action: "AssumeRole",
      Version: "2011-06-15",
      RoleArn: role.arn,
      RoleSessionName: role.sessionName ?? defaultSession,
      ...(role.externalId === undefined ? {} : { ExternalId: role.externalId }),
    }).toString();
    const { url, region } = endpointOf(tools);
    const headers = signForm(value, { url, region, body, now: tools.timeOfDay() });
    const reply = await requestFromIssuer({ method: "POST", url, headers, body, signal });
    const issued = readResult(reply, "AssumeRole", tools);
    return found === undefined
      ? issued
      : { ...issued, source: `the role ${role.arn}, assumed with ${found}` };
  };
  return { source, issue };
}

interface SignedForm {
  readonly url: string;
  readonly region: string;
  readonly body: string;
  readonly now: number;
}

function signForm(credentials: AwsCredentials, { url, region, body, now }: SignedForm) {
  const { host, pathname } = new URL(url);
  const signer = new Signer({ ...credentials, region, service: "sts" });
  const request = { method: "POST", host, path: pathname, query: {}, headers: formHeaders };
  return signer.sign({ ...request, payloadSha256: sha256Hex(body) }, now);
}

/** Stores that are not AWS's have regions of other names. */
const awsRegion = /^[a-z]{2,4}(-[a-z]{2,12}){1,3}-\d{1,2}$/;

function endpointOf({ environment, region }: AwsTools): { readonly url: string; readonly region: string } {
  const named = [environment.AWS_REGION, environment.AWS_DEFAULT_REGION, region];
  const found = named.find((one) => one !== undefined && awsRegion.test(one)) ?? "us-east-1";
  const url = environment.AWS_ENDPOINT_URL_STS || `https://${awsHost("sts", found)}/`;
  return { url, region: found };
}

export function awsHost(service: string, region: string): string {
  return `${service}.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}

function readResult(reply: string, action: string, { timeOfDay }: AwsTools): IssuedValue<AwsCredentials> {
  const result = objectAt(objectAt(parseObject(reply) ?? {}, `${action}Response`), `${action}Result`);
  return readCredentials(result.Credentials, timeOfDay);
}
