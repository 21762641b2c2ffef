import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { mayRetry, noteError, noteErrorHeaders, visibleBody } from "../../execution/note-error.js";
import { CallerLeftError } from "../../execution/request-lifetime.js";
import { arrivalOf } from "../request/arrival.js";
import { discardBody } from "../request/read-body.js";
import { corsLines } from "./cors-headers.js";
import { errorText } from "./error-form.js";
import { addHeader, jsonType, writeHead } from "./headers.js";

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

/** An error after the response has begun: the last event of the stream. */
export function errorEvent(
  error: GatewayError,
  secrets: HideSecrets,
): { type: "error"; error: GatewayError["body"]["error"] } {
  return { type: "error", error: visibleBody(error, secrets).error };
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
