import type { GatewayFault } from "./gateway-fault.js";

/** What every call resolves to; look at `ok`. A network failure or an abort rejects instead, as `fetch` does. */
export type Result<Data> = Success<Data> | Failure;

/** The gateway did what was asked. */
export interface Success<Data> {
  readonly ok: true;
  readonly data: Data;
  /** `x-request-id`. Null when it is missing, as it is in a browser that may not read the header. */
  readonly requestId: string | null;
  /** For its headers and status; the body is read already, or is being read as `data`. */
  readonly response: Response;
}

/** The gateway, or something on the way to it, refused or failed. */
export interface Failure {
  readonly ok: false;
  readonly error: GatewayFault;
  readonly requestId: string | null;
  readonly status: number;
  readonly response: Response;
}

export function succeed<Data>(response: Response, data: Data): Success<Data> {
  return { ok: true, data, requestId: response.headers.get("x-request-id"), response };
}

export function fail(response: Response, error: GatewayFault): Failure {
  const requestId = response.headers.get("x-request-id");
  return { ok: false, error, requestId, status: response.status, response };
}
