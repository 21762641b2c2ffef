import { diskFull, errorTable, GatewayError, tooManyOpenFiles } from "@model-gateway/domain/errors";
import { codeOf, isDiskFull } from "@model-gateway/domain/failure-code";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { Logger } from "pino";
import type { Arrival } from "./request-context.js";
import { exposeQueuePlace, exposeUpstream, noteHeader } from "./response-headers.js";

/** Notes the end of a request that failed, for its log line and its ledger row. */
export function noteError(
  thrown: unknown,
  { id, summary }: Pick<Arrival, "id" | "summary">,
  log: Logger,
): GatewayError {
  const error = toGatewayError(thrown);
  summary.errorCode = error.code;
  summary.error = error;
  if (error.upstream !== undefined) summary.upstream = error.upstream;
  if (error.attempts !== undefined) summary.attempts = error.attempts;
  if (error.status >= 500) log.error({ id, code: error.code, err: thrown }, error.message);
  return error;
}

/** An upstream may quote its request, even the gateway's key. */
export function visibleBody({ body }: GatewayError, secrets: HideSecrets): GatewayError["body"] {
  const { message, param } = body.error;
  return {
    error: {
      ...body.error,
      message: secrets.hide(message),
      param: param === null ? null : secrets.hide(param),
    },
  };
}

/** Any other error is a failure of the gateway itself, and its message is only for the log. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof URIError) {
    return new GatewayError(
      "invalid_url",
      "The path is not valid: after a percent sign come two hexadecimal digits, and the bytes are UTF-8.",
    );
  }
  if (/^E[MN]FILE$/.test(codeOf(thrown))) return tooManyOpenFiles(thrown);
  if (isDiskFull(thrown)) return diskFull(thrown);
  return new GatewayError("internal_error", "The gateway had an error while processing your request.", {
    cause: thrown,
  });
}

/** Whether the same request could succeed. OpenAI's clients retry 408, 409 and 429 unless a header forbids it. */
export function mayRetry({ code }: GatewayError): boolean {
  return errorTable[code].callerRetry !== "never";
}

/** OpenAI's clients ignore longer waits. */
const retryAfterMaxMs = 60_000;

/** Notes the headers of an error response. */
export function noteErrorHeaders(
  arrival: Pick<Arrival, "headers" | "exposesUpstream" | "summary">,
  error: GatewayError,
  secrets: HideSecrets,
): void {
  const { headers } = arrival;
  for (const [name, value] of Object.entries(error.headers)) noteHeader(headers, name, secrets.hide(value));
  exposeUpstream(arrival);
  // Other errors have nothing to do with a queue.
  if (error.status === 429) exposeQueuePlace(arrival);
  if (error.retryAfterMs !== undefined) {
    const waitMs = Math.min(Math.max(1, Math.ceil(error.retryAfterMs)), retryAfterMaxMs);
    noteHeader(headers, "retry-after", String(Math.max(1, Math.ceil(waitMs / 1000))));
    noteHeader(headers, "retry-after-ms", String(waitMs));
  }
  if (!mayRetry(error)) noteHeader(headers, "x-should-retry", "false");
}
