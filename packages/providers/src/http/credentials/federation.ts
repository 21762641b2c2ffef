import { resolve } from "node:path";
import { isLoopbackHost } from "@model-gateway/domain/ip-address";
import { z } from "zod";
import type { ConnectionSettings } from "../connection/connect.js";
import { textSetting } from "../remote-settings.js";
import { refuseHeader } from "../settings.js";
import { readTokenFile } from "./read-token-file.js";
import { requestAccessToken } from "./request-token.js";
import { type CredentialTools, TokenCredential } from "./token-credential.js";

/* A provider's token for that of another identity provider. https://www.rfc-editor.org/rfc/rfc8693 */

/** Settings that every federation has. */
export const federationSettings = {
  tokenFile: textSetting(
    "The path of a file with the identity token, which the platform replaces before it expires. A relative path starts at the configuration file.",
  ),
  tokenUrl: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe("For tests: an issuer on this machine, for an upstream on this machine."),
};

interface Federation {
  readonly tokenFile: string;
  readonly tokenUrl?: string | undefined;
}

interface FederatedSettings {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly federation?: Federation | string | undefined;
}

/** The rules across the settings of a federated upstream. A token is never issued for another host. */
export function checkFederation(
  { baseUrl, apiKey, headers, federation }: FederatedSettings,
  host: string,
  context: z.core.$RefinementCtx,
): void {
  if (federation === undefined) return;
  const refuse = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
  if (apiKey !== undefined)
    return refuse(["federation"], "is not used with an apiKey; remove one of the two");
  refuseHeader({ name: "authorization", headers }, context);
  const tokenUrl = typeof federation === "string" ? undefined : federation.tokenUrl;
  if (tokenUrl === undefined) {
    const { protocol, host: own } = new URL(baseUrl);
    if (protocol !== "https:" || own !== host)
      refuse(["baseUrl"], `must be at https://${host} with federation: its tokens are for no other host`);
  } else if (!isOnThisMachine(tokenUrl)) refuse(["federation", "tokenUrl"], "must be on this machine");
  else if (!isOnThisMachine(baseUrl)) refuse(["baseUrl"], "must be on this machine, as tokenUrl is");
}

/** `URL` puts IPv6 addresses in brackets. */
export function isOnThisMachine(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname.replace(/^\[|\]$/g, ""));
}

/** The settings with a whole path. */
export function withTokenFile<S extends { readonly federation?: Federation | string | undefined }>(
  settings: S,
  directory: string,
): S {
  const { federation } = settings;
  if (federation === undefined || typeof federation === "string") return settings;
  return { ...settings, federation: { ...federation, tokenFile: resolve(directory, federation.tokenFile) } };
}

interface TokenExchange extends CredentialTools {
  /** In words that complete "from". */
  readonly source: string;
  readonly url: string;
  readonly tokenFile: string;
  readonly connection: Pick<ConnectionSettings, "proxy" | "tls">;
  /** The request for a token. */
  readonly requestWith: (identityToken: string) => { readonly type: string; readonly body: string };
}

/** The token that an identity token is exchanged for. The file is read for each exchange. */
export function federatedToken({ source, url, tokenFile, connection, requestWith, ...tools }: TokenExchange) {
  return new TokenCredential({
    ...tools,
    source,
    issue: async (signal) => {
      const { type, body } = requestWith(await readTokenFile(tokenFile));
      const headers = { "content-type": type };
      return requestAccessToken({ method: "POST", url, headers, body, signal }, connection);
    },
  });
}

export const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
export const jwtType = "urn:ietf:params:oauth:token-type:jwt";
