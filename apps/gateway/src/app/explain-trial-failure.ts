import type { Trial } from "../config/edit/read-trial.js";
import type { Upstream } from "../domain/model.js";
import { GatewayError } from "../errors.js";
import { ConnectError } from "../providers/http/connection/connect-error.js";

/** An error code, and a sentence that says what to check. */
export interface TrialFailure {
  readonly code: string;
  readonly message: string;
}

/** Explains why an upstream did not work. Operators know its settings, so the sentences name them. */
export function explainTrialFailure(failure: unknown, { upstream, model }: Trial): TrialFailure {
  if (!(failure instanceof GatewayError))
    return { code: "internal_error", message: "The upstream could not be opened. The log has the reason." };
  const { code, cause } = failure;
  if (cause instanceof ConnectError) return { code, message: explainConnect(cause, upstream) };
  if (code === "upstream_model_missing" && model === undefined)
    return {
      code,
      message: `${hostOf(upstream)} has no list of models at this path. Check the path of the address: many end with /v1.`,
    };
  return { code, message: explainCode(failure, upstream) };
}

function explainConnect({ reason, code }: ConnectError, upstream: Upstream): string {
  const host = hostOf(upstream);
  switch (reason) {
    case "timeout":
      return `The connection to ${host} timed out. Check the address, and whether a firewall or a proxy is in between.`;
    case "untrusted":
      return `The certificate of ${host} is not trusted (${code}). Set tls.ca to the authority that issued it, or correct the host name.`;
    case "certificate":
      return `${host} refused the client certificate (${code}). Check tls.cert and tls.key.`;
    case "proxy":
      return `The proxy could not connect to ${host} (${code}). Check proxy, and whether it allows this host.`;
    case "proxy-credentials":
      return "The proxy refused its credentials. Check the user and the password in proxy.";
    case "unreachable":
      return explainUnreachable(code, host);
  }
}

function explainUnreachable(code: string, host: string): string {
  if (code === "ECONNREFUSED")
    return `Nothing listens at ${host}. Check the host and the port, and that the server runs.`;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return `The host name of ${host} cannot be resolved (${code}). Check the spelling of the address, and the DNS.`;
  if (/SSL|TLS|EPROTO/.test(code))
    return `${host} does not speak TLS in the expected way (${code}). Check whether the address begins with http or https.`;
  return `${host} cannot be reached (${code}). Check the address and the network.`;
}

function explainCode({ code, message, upstreamStatus }: GatewayError, upstream: Upstream): string {
  const host = hostOf(upstream);
  switch (code) {
    case "upstream_auth_error":
      return upstream.hasKey
        ? `${host} refused the credentials. Check that the key is complete, still valid, and belongs to this service.`
        : `${host} wants credentials, and none are set. Enter the key.`;
    case "upstream_model_missing":
      return `${host} does not know this path or model (status ${upstreamStatus ?? 404}). Check the name of the model and the path of the address.`;
    case "upstream_invalid_reply":
      return `${host} replied, but not as this provider does. Check the provider and the path of the address. ${message}`;
    case "upstream_timeout":
      return `${host} did not reply in time. Check the address, and whether the server is overloaded or still loads the model.`;
    case "upstream_error":
    case "upstream_rejected":
      return `${host} was reached, but refused the request. ${message}`;
    default:
      return message;
  }
}

/** Without a user, a password or a query. */
function hostOf({ baseUrl }: Upstream): string {
  return baseUrl === undefined ? "The upstream" : new URL(baseUrl).origin;
}
