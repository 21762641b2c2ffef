import { isObject, objectAt } from "@model-gateway/runtime/json";
import type { ConnectionSettings } from "../http/connection/connect.js";
import { isOnThisMachine } from "../http/credentials/federation.js";
import { readSmallFile } from "../http/credentials/read-token-file.js";
import { readAccessToken, requestFromIssuer } from "../http/credentials/request-token.js";
import type { IssuedToken, IssueToken } from "../http/credentials/token-credential.js";
import { parseObject } from "../http/errors/read-error.js";

type Document = Readonly<Record<string, unknown>>;
type IssuerConnection = Pick<ConnectionSettings, "proxy" | "tls">;

export const googleScope = "https://www.googleapis.com/auth/cloud-platform";
const formHeaders = { "content-type": "application/x-www-form-urlencoded" };

/** A text of a credentials file. Its errors quote nothing of it. */
export function textIn(document: Document, key: string): string {
  const value = document[key];
  if (typeof value !== "string" || value === "") throw new Error(`The credentials file has no ${key}.`);
  return value;
}

/** A file may be from elsewhere: its identity is only sent to Google, or to this machine. */
function googleUrl(document: Document, key: string): string {
  const url = textIn(document, key);
  if (!URL.canParse(url)) throw new Error(`The credentials file has a ${key} that is not a URL.`);
  const { protocol, hostname } = new URL(url);
  const isGoogle = protocol === "https:" && /(^|\.)googleapis\.com$/.test(hostname);
  if (!isGoogle && !isOnThisMachine(url))
    throw new Error(`The credentials file has a ${key} that is not at googleapis.com.`);
  return url;
}

/** A person's credentials, as `gcloud auth application-default login` writes them. */
export function authorizedUser(document: Document, connection: IssuerConnection): IssueToken {
  const url =
    document.token_uri === undefined
      ? "https://oauth2.googleapis.com/token"
      : googleUrl(document, "token_uri");
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: textIn(document, "client_id"),
    client_secret: textIn(document, "client_secret"),
    refresh_token: textIn(document, "refresh_token"),
  }).toString();
  return async (signal) =>
    readAccessToken(
      await requestFromIssuer({ method: "POST", url, headers: formHeaders, body, signal }, connection),
    );
}

/**
 * The identity of another cloud, or of any issuer, in a pool of Google Cloud. A service account may be acted as.
 * https://google.aip.dev/auth/4117
 */
export function externalAccount(
  document: Document,
  { connection, timeOfDay }: { readonly connection: IssuerConnection; readonly timeOfDay: () => number },
): IssueToken {
  const url = googleUrl(document, "token_url");
  const account =
    document.service_account_impersonation_url === undefined
      ? undefined
      : googleUrl(document, "service_account_impersonation_url");
  const form = {
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
    subject_token_type: textIn(document, "subject_token_type"),
    audience: textIn(document, "audience"),
    scope: googleScope,
  };
  return async (signal) => {
    const subject_token = await readSubjectToken(objectAt(document, "credential_source"), connection, signal);
    const body = new URLSearchParams({ ...form, subject_token }).toString();
    const request = { method: "POST", url, headers: formHeaders, body, signal } as const;
    const federated = readAccessToken(await requestFromIssuer(request, connection));
    if (account === undefined) return federated;
    const reply = await requestFromIssuer(
      {
        method: "POST",
        url: account,
        headers: { "content-type": "application/json", authorization: `Bearer ${federated.token}` },
        body: JSON.stringify({ scope: [googleScope], lifetime: "3600s" }),
        signal,
      },
      connection,
    );
    return readImpersonation(reply, timeOfDay());
  };
}

/** https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
function readImpersonation(reply: string, now: number): IssuedToken {
  const { accessToken: token, expireTime } = parseObject(reply) ?? {};
  const lifetimeMs = Date.parse(String(expireTime)) - now;
  if (typeof token !== "string" || token === "" || !(lifetimeMs > 0))
    throw new Error("The issuer's reply has no access token.");
  return { token, lifetimeMs };
}

async function readSubjectToken(
  source: Document,
  connection: IssuerConnection,
  signal: AbortSignal,
): Promise<string> {
  const { file, url, headers, format } = source;
  if (typeof file === "string") return tokenIn(await readSmallFile(file), format);
  if (typeof url !== "string")
    throw new Error("The credentials file has a credential_source that is neither a file nor a url.");
  // Azure's and other platforms' own addresses, which no proxy reaches.
  const isPlain = url.startsWith("http:");
  const given = isObject(headers) ? headers : {};
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const reply = await requestFromIssuer(
    { method: "GET", url, headers: texts, signal },
    isPlain ? {} : connection,
  );
  return tokenIn(reply, format);
}

function tokenIn(text: string, format: unknown): string {
  const { type = "text", subject_token_field_name: field } = isObject(format) ? format : {};
  const token = type === "json" ? parseObject(text)?.[String(field)] : text.trim();
  if (typeof token !== "string" || token === "") throw new Error("The credential source has no token.");
  return token;
}
