import type { Failure } from "@model-gateway/client";
import { codeOf } from "@model-gateway/domain/failure-code";
import { typedCommand } from "@model-gateway/domain/typed-command";
import { CommandError } from "./command-error.js";
import type { FoundGateway, FoundSecret } from "./find-gateway.js";

const adminKeySources = "Set GATEWAY_ADMIN_KEY, or name its file with --admin-key-file.";

const adminKeyOrigin =
  "The admin key is the one in GATEWAY_ADMIN_KEY of the gateway. Without that variable, its first start printed a key.";

export function missingAdminKey({ url, dataDir }: FoundGateway): CommandError {
  return new CommandError(
    `This command needs the admin key of ${url}. ${adminKeySources} On the gateway's own machine no key is needed: run the command in the folder that the gateway was started in, or with its DATA_DIR. There is no run.json for this address in ${dataDir}.`,
  );
}

export function missingKey(found: FoundGateway): CommandError {
  const { message } = missingAdminKey(found);
  return new CommandError(`${message} With an API key, set GATEWAY_KEY.`);
}

/** The parts of a failure that the message needs. */
export type Refusal = Pick<Failure, "status" | "requestId" | "response"> & {
  readonly error: Pick<Failure["error"], "code" | "message">;
};

interface FailureContext {
  readonly found: FoundGateway;
  /** The secret that was sent, if any. */
  readonly secret?: FoundSecret;
}

/** Work that goes on after the command has ended needs a key that does so as well. */
export function missingApiKey(): CommandError {
  return new CommandError(
    `This command needs an API key, because its work outlives a session. Create one, and set GATEWAY_KEY to it: ${typedCommand("keys create <name>")}`,
  );
}

/** A response that refuses the request. */
export function explainFault(
  { error, status, requestId, response }: Refusal,
  { found: { url, apiKey }, secret }: FailureContext,
): CommandError {
  const { code, message } = error;
  const key = `the key in ${secret?.from ?? "no place"}`;
  if (code === "unexpected_response")
    return new CommandError(`${url} does not respond as a Model Gateway. ${message}`);
  if (code === "admin_key_required")
    return new CommandError(
      `${url} knows ${key} as an API key, and not as the admin key. ${adminKeySources}`,
    );
  if (status === 401)
    return new CommandError(
      `${url} does not accept ${key}. ${message} ${secret === apiKey ? `Create another one: ${typedCommand("keys create <name>")}` : adminKeyOrigin}`,
    );
  const isTransient = response.headers.get("x-should-retry") !== "false" && (status === 429 || status >= 500);
  return new CommandError(`${message}${requestId === null ? "" : ` (${requestId})`}`, { isTransient });
}

/** A gateway that restarts is back soon. */
const lost = { isTransient: true };

interface NetworkContext {
  readonly found: FoundGateway;
  /** Undefined if the failure was not a late response. */
  readonly timeoutMs: number | undefined;
}

/** No response, or not all of it. */
export function explainNetworkFailure(failure: unknown, { found, timeoutMs }: NetworkContext): CommandError {
  const { url, from } = found;
  const elsewhere = "or name another address with --url or MODEL_GATEWAY_URL";
  if (timeoutMs !== undefined)
    return new CommandError(
      `${url} did not respond within ${timeoutMs / 1000} s. Its log may say why.`,
      lost,
    );
  const cause = failure instanceof Error ? failure.cause : undefined;
  const code = codeOf(cause) || codeOf(failure);
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return new CommandError(
      `No gateway responds at ${url} (${from}, ${code}). Start one with ${typedCommand("")}, ${elsewhere}.`,
      lost,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code))
    return new CommandError(
      `The certificate of ${url} is not accepted (${code}). Name the host that it was issued for with --url. For a private authority, set NODE_EXTRA_CA_CERTS to its certificate.`,
    );
  const detail = [code, cause instanceof Error ? cause.message : String(failure)].filter(Boolean).join(": ");
  return new CommandError(`The connection to ${url} (${from}) failed. ${detail}`, lost);
}
