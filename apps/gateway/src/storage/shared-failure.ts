import { GatewayError, isErrorCode } from "../errors.js";

/** A failure as those who wait in another process may know it: what its caller was told, without the cause. */
export function writeFailure({ code, message, param, retryAfterMs, headers }: GatewayError): string {
  return JSON.stringify({ code, message, param, retryAfterMs, headers });
}

export function readFailure(json: string): GatewayError {
  // Only `writeFailure` makes these texts; the code alone may be one that another version of the gateway knows.
  const { code, message, param, retryAfterMs, headers } = JSON.parse(json) as GatewayError;
  return new GatewayError(isErrorCode(code) ? code : "internal_error", message, {
    headers,
    ...(param !== null && { param }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
