import { createSign } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ConnectionSettings } from "../http/connection/connect.js";
import { TokenCredential, type IssueToken } from "../credentials/token-credential.js";
import { requestAccessToken } from "../credentials/request-token.js";
import { parseObject } from "../http/errors/read-error.js";
import type { ProviderTools } from "../provider.js";

const scope = "https://www.googleapis.com/auth/cloud-platform";
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const lifetimeSeconds = 3600;
const keyFileBytesMax = 64 * 1024;

interface GoogleCredentials extends Pick<ConnectionSettings, "proxy" | "tls"> {
  /** A service account key file. Absent: the metadata server. */
  readonly credentialsFile?: string | undefined;
}

/** The token of a service account: by its key file, or of the machine that the gateway runs on. */
export function createGoogleToken(
  credentials: GoogleCredentials,
  tools: Pick<ProviderTools, "clock" | "environment" | "timeOfDay" | "secrets">,
): TokenCredential {
  const { credentialsFile: path } = credentials;
  return path === undefined
    ? new TokenCredential({
        ...tools,
        source: "the service account of this machine",
        issue: issueForMachine(tools.environment),
      })
    : new TokenCredential({
        ...tools,
        source: `the service account in ${path}`,
        issue: issueForKeyFile(path, credentials, tools),
      });
}

/** The file is read for each token, so a key that was replaced needs no restart. */
function issueForKeyFile(
  path: string,
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
  { timeOfDay, secrets }: Pick<ProviderTools, "timeOfDay" | "secrets">,
): IssueToken {
  return async (signal) => {
    const { email, privateKey, tokenUrl } = await readKeyFile(path);
    secrets.learn(privateKey);
    const assertion = signAssertion({ email, privateKey, tokenUrl, now: Math.floor(timeOfDay() / 1000) });
    const body = new URLSearchParams({ grant_type: grantType, assertion }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return requestAccessToken({ method: "POST", url: tokenUrl, headers, body, signal }, connection);
  };
}

interface ServiceAccount {
  readonly email: string;
  readonly privateKey: string;
  readonly tokenUrl: string;
}

/** Its errors quote nothing of the file. */
async function readKeyFile(path: string): Promise<ServiceAccount> {
  const content = await readFile(path, "utf8");
  const { client_email: email, private_key: privateKey, token_uri: tokenUrl } = parseObject(content) ?? {};
  const isComplete =
    typeof email === "string" && typeof privateKey === "string" && typeof tokenUrl === "string";
  if (!isComplete || content.length > keyFileBytesMax || !URL.canParse(tokenUrl))
    throw new Error("The credentials file is not a service account key file.");
  return { email, privateKey, tokenUrl };
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function signAssertion({
  email,
  privateKey,
  tokenUrl,
  now,
}: ServiceAccount & { readonly now: number }): string {
  const claims = { iss: email, scope, aud: tokenUrl, iat: now, exp: now + lifetimeSeconds };
  const unsigned = [{ alg: "RS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${unsigned}.${createSign("RSA-SHA256").update(unsigned).sign(privateKey, "base64url")}`;
}

/** On Compute Engine, GKE and Cloud Run. It is never reached through a proxy. */
function issueForMachine({ GCE_METADATA_HOST }: ProviderTools["environment"]): IssueToken {
  const host = GCE_METADATA_HOST ?? "metadata.google.internal";
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
  const headers = { "metadata-flavor": "Google" };
  return (signal) => requestAccessToken({ method: "GET", url, headers, signal });
}
