import { createSign } from "node:crypto";
import type { ConnectionSettings } from "../http/connection/connect.js";
import { readSmallFile } from "../http/credentials/read-token-file.js";
import { requestAccessToken } from "../http/credentials/request-token.js";
import { type IssueToken, TokenCredential } from "../http/credentials/token-credential.js";
import { parseObject } from "../http/errors/read-error.js";
import type { ProviderTools } from "../provider.js";
import { authorizedUser, externalAccount, googleScope, textIn } from "./external-account.js";

const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const lifetimeSeconds = 3600;

interface GoogleCredentials extends Pick<ConnectionSettings, "proxy" | "tls"> {
  /** A key file, or another file that `gcloud` writes. Absent: the metadata server. */
  readonly credentialsFile?: string | undefined;
}

/** The token of the identity in a file, or of the machine that the gateway runs on. */
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
        source: `the credentials file ${path}`,
        issue: issueForFile(path, credentials, tools),
      });
}

/** The file is read for each token, so a key that was replaced needs no restart. Its errors quote nothing of the file. */
function issueForFile(
  path: string,
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
  { timeOfDay, secrets }: Pick<ProviderTools, "timeOfDay" | "secrets">,
): IssueToken {
  return async (signal) => {
    const document = parseObject(await readSmallFile(path)) ?? {};
    for (const key of ["private_key", "client_secret", "refresh_token"]) {
      const secret = document[key];
      if (typeof secret === "string") secrets.learn(secret);
    }
    const { source, issue } = identityOf(document, { connection, timeOfDay });
    return { source: `${source} in ${path}`, ...(await issue(signal)) };
  };
}

interface IdentityTools {
  readonly connection: Pick<ConnectionSettings, "proxy" | "tls">;
  readonly timeOfDay: () => number;
}

function identityOf(
  document: Readonly<Record<string, unknown>>,
  tools: IdentityTools,
): { readonly source: string; readonly issue: IssueToken } {
  const { type = "service_account" } = document;
  switch (type) {
    case "service_account":
      return { source: "the service account", issue: serviceAccount(document, tools) };
    case "authorized_user":
      return { source: "the user", issue: authorizedUser(document, tools.connection) };
    case "external_account":
      return { source: "the external account", issue: externalAccount(document, tools) };
    default:
      throw new Error(
        "The credentials file has a type that is none of service_account, authorized_user and external_account.",
      );
  }
}

function serviceAccount(
  document: Readonly<Record<string, unknown>>,
  { connection, timeOfDay }: IdentityTools,
): IssueToken {
  const tokenUrl = textIn(document, "token_uri");
  if (!URL.canParse(tokenUrl)) throw new Error("The credentials file has a token_uri that is not a URL.");
  const account = {
    email: textIn(document, "client_email"),
    privateKey: textIn(document, "private_key"),
    tokenUrl,
  };
  return (signal) => {
    const assertion = signAssertion({ ...account, now: Math.floor(timeOfDay() / 1000) });
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

/** https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
function signAssertion({
  email,
  privateKey,
  tokenUrl,
  now,
}: ServiceAccount & { readonly now: number }): string {
  const claims = { iss: email, scope: googleScope, aud: tokenUrl, iat: now, exp: now + lifetimeSeconds };
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
