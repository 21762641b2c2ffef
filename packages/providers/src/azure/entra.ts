import { z } from "zod";
import type { ConnectionSettings } from "../http/connection/connect.js";
import { isOnThisMachine } from "../http/credentials/federation.js";
import { readTokenFile } from "../http/credentials/read-token-file.js";
import { readAccessToken, requestAccessToken, requestFromIssuer } from "../http/credentials/request-token.js";
import { type IssuedToken, type IssueToken, TokenCredential } from "../http/credentials/token-credential.js";
import { parseObject } from "../http/errors/read-error.js";
import { textSetting } from "../http/remote-settings.js";
import type { ProviderTools } from "../provider.js";

const resource = "https://cognitiveservices.azure.com";

export const entraSetting = z
  .union([
    z.literal("managed").describe("The managed identity of the machine that the gateway runs on."),
    z
      .literal("workload")
      .describe("The identity of the gateway's service account in Kubernetes, such as on AKS."),
    z.strictObject({
      tenantId: textSetting("The id of the tenant, or one of its domains."),
      clientId: textSetting("The id of the app registration."),
      clientSecret: textSetting("The secret of the app registration. Take it from the environment: ${NAME}."),
      tokenUrl: z
        .url({ protocol: /^https?$/, error: "must be an http or https URL" })
        .optional()
        .describe(
          "Where tokens are issued. Default: login.microsoftonline.com. National clouds have others.",
        ),
    }),
  ])
  .describe(
    "Microsoft Entra instead of a key: the client credentials of an app registration, or one of the words managed and workload.",
  );

type Entra = z.output<typeof entraSetting>;
type ClientCredentials = Exclude<Entra, string>;

/** The token of an app registration, a managed identity or a workload. */
export function createEntraToken(
  entra: Entra,
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
  tools: Pick<ProviderTools, "clock" | "environment" | "timeOfDay" | "secrets">,
): TokenCredential {
  return new TokenCredential({ ...tools, ...issuerOf(entra, connection, tools) });
}

function issuerOf(
  entra: Entra,
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
  tools: Pick<ProviderTools, "environment" | "timeOfDay">,
): { readonly source: string; readonly issue: IssueToken } {
  if (entra === "managed")
    return { source: "the managed identity of this machine", issue: issueForMachine(tools) };
  if (entra === "workload") return workloadIssuer(connection, tools);
  return { source: `the app registration ${entra.clientId}`, issue: issueForApp(entra, connection) };
}

/**
 * The webhook of AKS sets the variables, and Kubernetes replaces the file before the token in it expires.
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow#third-case-access-token-request-with-a-federated-credential
 */
function workloadIssuer(
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
  { environment }: Pick<ProviderTools, "environment">,
): { readonly source: string; readonly issue: IssueToken } {
  const { AZURE_TENANT_ID: tenant, AZURE_CLIENT_ID: client, AZURE_FEDERATED_TOKEN_FILE: file } = environment;
  const authority = environment.AZURE_AUTHORITY_HOST || "https://login.microsoftonline.com";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const issue: IssueToken = async (signal) => {
    if (!tenant || !client || !file)
      throw new Error(
        "entra: workload needs AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_FEDERATED_TOKEN_FILE in the environment.",
      );
    if (!authority.startsWith("https:") && !isOnThisMachine(authority))
      throw new Error("AZURE_AUTHORITY_HOST is not https.");
    const url = `${authority.replace(/\/+$/, "")}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: client,
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: await readTokenFile(file),
      scope: `${resource}/.default`,
    }).toString();
    return requestAccessToken({ method: "POST", url, headers, body, signal }, connection);
  };
  return { source: `the workload identity of ${client ?? "an unnamed client"}`, issue };
}

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow */
function issueForApp(
  entra: ClientCredentials,
  connection: Pick<ConnectionSettings, "proxy" | "tls">,
): IssueToken {
  const { tenantId, clientId, clientSecret } = entra;
  const { tokenUrl = `https://login.microsoftonline.com/${encodeURIComponent(tenantId)}/oauth2/v2.0/token` } =
    entra;
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    scope: `${resource}/.default`,
  }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return (signal) => requestAccessToken({ method: "POST", url: tokenUrl, headers, body, signal }, connection);
}

/**
 * App Service and Container Apps name an endpoint in the environment; a virtual machine has a fixed one. Neither is
 * reached through a proxy. https://learn.microsoft.com/en-us/entra/identity/managed-identities-azure-resources/how-to-use-vm-token
 */
function issueForMachine({
  environment,
  timeOfDay,
}: Pick<ProviderTools, "environment" | "timeOfDay">): IssueToken {
  const { IDENTITY_ENDPOINT, IDENTITY_HEADER, AZURE_CLIENT_ID } = environment;
  const isNamed = IDENTITY_ENDPOINT !== undefined && IDENTITY_HEADER !== undefined;
  const url = new URL(isNamed ? IDENTITY_ENDPOINT : "http://169.254.169.254/metadata/identity/oauth2/token");
  url.searchParams.set("api-version", isNamed ? "2019-08-01" : "2018-02-01");
  url.searchParams.set("resource", resource);
  // A machine may have several identities.
  if (AZURE_CLIENT_ID !== undefined) url.searchParams.set("client_id", AZURE_CLIENT_ID);
  const headers: Record<string, string> = isNamed
    ? { "x-identity-header": IDENTITY_HEADER }
    : { metadata: "true" };
  return async (signal) =>
    readMachineToken(await requestFromIssuer({ method: "GET", url: url.href, headers, signal }), timeOfDay());
}

/** App Service sends only the time at which the token expires, in seconds since 1970. */
function readMachineToken(reply: string, now: number): IssuedToken {
  const { expires_in: lifetime, expires_on: end, access_token: token } = parseObject(reply) ?? {};
  if (lifetime !== undefined || end === undefined) return readAccessToken(reply);
  return readAccessToken(
    JSON.stringify({ access_token: token, expires_in: Math.floor(Number(end) - now / 1000) }),
  );
}
