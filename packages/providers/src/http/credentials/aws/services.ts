import { parseObject } from "../../errors/read-error.js";
import { readTokenFile } from "../read-token-file.js";
import { requestFromIssuer } from "../request-token.js";
import { type AwsSource, type AwsTools, readCredentials } from "./aws-source.js";

/* Services of the platform that the gateway runs on. */

const taskOrigin = "http://169.254.170.2";
/** The ECS and EKS Pod Identity addresses. Over http, a token must go nowhere else. */
const containerHosts = new Set(["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]", "localhost", "[::1]"]);

/**
 * The credentials of an ECS task or an EKS pod.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html
 */
export function containerCredentials({ environment, timeOfDay }: AwsTools): AwsSource | undefined {
  const relative = environment.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI;
  const url = relative ? `${taskOrigin}${relative}` : environment.AWS_CONTAINER_CREDENTIALS_FULL_URI;
  if (!url) return undefined;
  const { AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file, AWS_CONTAINER_AUTHORIZATION_TOKEN: token } =
    environment;
  const issue = async (signal: AbortSignal) => {
    if (!mayHaveToken(url))
      throw new Error("AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https nor an address of the platform.");
    const authorization = file ? await readTokenFile(file) : token;
    const headers = authorization ? { authorization } : {};
    const reply = await requestFromIssuer({ method: "GET", url, headers, signal });
    return readCredentials(parseObject(reply), timeOfDay);
  };
  return { source: "the role of this container", issue };
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
export function instanceCredentials({ environment, timeOfDay }: AwsTools): AwsSource | undefined {
  if (environment.AWS_EC2_METADATA_DISABLED?.toLowerCase() === "true") return undefined;
  const given = environment.AWS_EC2_METADATA_SERVICE_ENDPOINT || "http://169.254.169.254";
  const origin = given.replace(/\/+$/, "");
  const roles = `${origin}/latest/meta-data/iam/security-credentials/`;
  const issue = async (signal: AbortSignal) => {
    const token = await requestFromIssuer({
      method: "PUT",
      url: `${origin}/latest/api/token`,
      headers: { "x-aws-ec2-metadata-token-ttl-seconds": "60" },
      signal,
    });
    const headers = { "x-aws-ec2-metadata-token": token };
    const listed = await requestFromIssuer({ method: "GET", url: roles, headers, signal });
    const role = listed.split("\n", 1)[0]?.trim() ?? "";
    const url = `${roles}${encodeURIComponent(role)}`;
    const reply = await requestFromIssuer({ method: "GET", url, headers, signal });
    const source = `the role ${role} of this instance`;
    return { ...readCredentials(parseObject(reply), timeOfDay), source };
  };
  return { source: "the role of this instance", issue };
}
