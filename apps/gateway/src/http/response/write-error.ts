import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { codeOf, isDiskFull } from "../../domain/failure-code.js";
import { diskFull, errorTable, GatewayError, tooManyOpenFiles } from "../../errors.js";
import type { HideSecrets } from "../../secrets/secret-filter.js";
import { discardBody } from "../request/read-body.js";
import { type Arrival, arrivalOf } from "../request/request-context.js";
import { CallerLeftError } from "../request/request-lifetime.js";
import { corsLines } from "./cors-headers.js";
import { errorText } from "./error-form.js";
import { addHeader, exposeQueuePlace, exposeUpstream, jsonType, noteHeader, writeHead } from "./headers.js";

/** The only place that writes error responses: everything thrown ends here. */
export function writeError({
  log,
  secrets,
}: {
  readonly log: Logger;
  readonly secrets: HideSecrets;
}): ErrorRequestHandler {
  return async (thrown: unknown, request, response, _next) => {
    const arrival = arrivalOf(response);
    if (thrown instanceof CallerLeftError || response.closed) {
      arrival.summary.errorCode = "caller_left";
      response.destroy();
      return;
    }
    const error = noteError(thrown, arrival, log);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A connection that is closed while the caller still writes is reset, and the response is lost.
    if (error.headers.connection === "close" && !request.complete) await discardBody(request);
    await sendError(response, error, secrets);
    if (!request.complete) void discardBody(request);
  };
}

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

/** An error after the response has begun: the last event of the stream. */
export function errorEvent(
  error: GatewayError,
  secrets: HideSecrets,
): { type: "error"; error: GatewayError["body"]["error"] } {
  return { type: "error", error: visibleBody(error, secrets).error };
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

/** Responds to bytes that are not valid HTTP. Node has no response object for them, only the socket. */
export function writeMalformedHttp(
  failure: Error & { code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (!socket.writable || failure.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const error = malformedHttpError(failure.code);
  const body = JSON.stringify(error.body);
  const shouldRetry = mayRetry(error) ? "" : "x-should-retry: false\r\n";
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\n${corsLines}${shouldRetry}connection: close\r\n\r\n${body}`,
  );
}

function malformedHttpError(code: string | undefined): GatewayError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new GatewayError("headers_too_large", "The request headers are larger than the limit.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new GatewayError("request_timeout", "The request did not arrive in time.");
    default:
      return new GatewayError("invalid_http", "The request is not valid HTTP.");
  }
}

/** Whether the same request could succeed. OpenAI's clients retry 408, 409 and 429 unless a header forbids it. */
function mayRetry({ code }: GatewayError): boolean {
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

async function sendError(response: Response, error: GatewayError, secrets: HideSecrets): Promise<void> {
  const arrival = arrivalOf(response);
  noteErrorHeaders(arrival, error, secrets);
  const place = { url: response.req.originalUrl, requestId: arrival.id };
  const body = Buffer.from(errorText(visibleBody(error, secrets), place));
  const { summary, finish } = arrival;
  summary.responseBytes = body.length;
  await finish(error.status);
  addHeader(response, "content-type", jsonType);
  addHeader(response, "content-length", String(body.length));
  writeHead(response, error.status);
  response.end(body);
}
