import type { Socket } from "node:net";
import type { ErrorRequestHandler, Response } from "express";
import type { Logger } from "pino";
import { GatewayError } from "../../errors.js";
import { discardBody } from "../request/read-body.js";
import { CallerLeftError, contextOf } from "../request/request-context.js";
import { createRequestId } from "../request/request-id.js";
import { addHeader, addHeaders, exposeUpstream, jsonType, writeHead } from "./headers.js";

/** The one place that writes errors. Everything thrown ends here. */
export function writeError(log: Logger): ErrorRequestHandler {
  return async (thrown: unknown, request, response, _next) => {
    const context = contextOf(response);
    if (thrown instanceof CallerLeftError || response.closed) {
      context.errorCode = "caller_left";
      response.destroy();
      return;
    }
    const error = toGatewayError(thrown);
    context.errorCode = error.code;
    if (error.upstream !== undefined) context.upstream = error.upstream;
    if (error.attempts !== undefined) context.attempts = error.attempts;
    if (error.status >= 500) log.error({ id: context.id, code: error.code, err: thrown }, error.message);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    await sendError(response, error);
    if (!request.complete) discardBody(request);
  };
}

/** An error that the answer has already begun to hide: it is the last event of the stream. */
export function errorEvent(thrown: unknown): { type: "error"; error: GatewayError["body"]["error"] } {
  return { type: "error", error: toGatewayError(thrown).body.error };
}

/** Anything thrown by other code than ours is our fault, and its words are for the log alone. */
export function toGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (thrown instanceof URIError) {
    return new GatewayError(
      "invalid_url",
      "The path has a percent sign that is not followed by two hexadecimal digits.",
    );
  }
  return new GatewayError("internal_error", "The gateway had an error while processing your request.", {
    cause: thrown,
  });
}

/** Answers a request that is not HTTP, where there is only a socket to write to. */
export function writeMalformedHttp(failure: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || failure.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const error =
    failure.code === "HPE_HEADER_OVERFLOW"
      ? new GatewayError("headers_too_large", "The request headers are larger than the limit.")
      : new GatewayError("invalid_http", "The request is not valid HTTP, or did not arrive in time.");
  const body = JSON.stringify(error.body);
  const reason = error.status === 431 ? "Request Header Fields Too Large" : "Bad Request";
  socket.end(
    `HTTP/1.1 ${error.status} ${reason}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${createRequestId()}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/** What clients count on for a wait. They ignore longer ones. */
const retryAfterMaxMs = 60_000;

async function sendError(response: Response, error: GatewayError): Promise<void> {
  addHeaders(response, error.headers);
  exposeUpstream(response);
  if (error.retryAfterMs !== undefined) {
    const waitMs = Math.min(Math.max(1, Math.ceil(error.retryAfterMs)), retryAfterMaxMs);
    addHeader(response, "retry-after", String(Math.max(1, Math.ceil(waitMs / 1000))));
    addHeader(response, "retry-after-ms", String(waitMs));
  }
  // Official clients retry 409 and 429 by themselves; what cannot succeed must say so.
  if (error.status < 500 && error.code !== "rate_limit_exceeded")
    addHeader(response, "x-should-retry", "false");
  const body = Buffer.from(JSON.stringify(error.body, null, 2));
  const context = contextOf(response);
  context.responseBytes = body.length;
  await context.finish(error.status);
  addHeader(response, "content-type", jsonType);
  addHeader(response, "content-length", String(body.length));
  writeHead(response, error.status);
  response.end(body);
}
