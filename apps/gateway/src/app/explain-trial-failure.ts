import type { Trial } from "@model-gateway/config/edit/read-trial";
import { GatewayError } from "@model-gateway/domain/errors";
import type { Upstream } from "@model-gateway/domain/model";
import { ConnectError } from "@model-gateway/providers/http/connection/connect-error";

/** An error code, and a sentence that says what to check. */
interface TrialFailure {
  readonly code: string;
  readonly message: string;
}

/** Explains why an upstream did not work. Operators know its settings, so the sentences name them. */
export function explainTrialFailure(failure: unknown, { upstream, model }: Trial): TrialFailure {
  if (!(failure instanceof GatewayError))
    return { code: "internal_error", message: "The upstream could not be opened. The log has the reason." };
  const { code, cause, operatorMessage } = failure;
  if (cause instanceof ConnectError) return { code, message: `${operatorMessage} ${adviseConnect(cause)}` };
  if (code === "upstream_model_missing" && model === undefined)
    return {
      code,
      message: `${hostOf(upstream)} has no list of models at this path. Check the path of the address: many end with /v1.`,
    };
  return { code, message: explainCode(failure, upstream) };
}

function adviseConnect({ reason, code }: ConnectError): string {
  switch (reason) {
    case "timeout":
      return "Check the address, and whether a firewall or a proxy is in between.";
    case "untrusted":
      return "Set tls.ca to the authority that issued it, or correct the host name.";
    case "certificate":
      return "Check tls.cert and tls.key.";
    case "proxy":
      return "Check proxy, and whether it allows this host.";
    case "proxy-credentials":
      return "Check the user and the password in proxy.";
    case "unreachable":
      return adviseUnreachable(code);
  }
}

function adviseUnreachable(code: string): string {
  if (code === "ECONNREFUSED") return "Check the host and the port, and that the server runs.";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "Check the spelling of the address, and the DNS.";
  if (/SSL|TLS|EPROTO/.test(code)) return "Check whether the address begins with http or https.";
  return "Check the address and the network.";
}

function explainCode(
  { code, message, operatorMessage, upstreamStatus }: GatewayError,
  upstream: Upstream,
): string {
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
      return `${operatorMessage} Check the address, and whether the server is overloaded or still loads the model.`;
    case "upstream_error":
      return `${host} was reached. ${operatorMessage}`;
    case "upstream_rejected":
      return `${host} was reached, but refused the request. ${message}`;
    default:
      return operatorMessage;
  }
}

/** Without a user, a password or a query. */
export function hostOf({ baseUrl }: Upstream): string {
  return baseUrl === undefined ? "The upstream" : new URL(baseUrl).host;
}
