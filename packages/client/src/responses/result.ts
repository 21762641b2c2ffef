import type { FaultText, GatewayFault } from "./gateway-fault.js";

/** The result of openapi-fetch. `data` is text: the client parses it. */
export interface Exchange {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** The outcome of a call; check `ok`. A network failure or an abort rejects instead, as with `fetch`. */
export type Result<Data, Failed extends Failure = Failure> = Success<Data> | Failed;

/** The gateway fulfilled the request. */
export interface Success<Data> {
  readonly ok: true;
  readonly data: Data;
  /** `x-request-id`. Null if it is missing, or if a browser may not read it. */
  readonly requestId: string | null;
  /** For its headers and status. The body has been read, or is being read as `data`. */
  readonly response: Response;
}

/** The gateway, or a proxy before it, refused or failed. */
export interface Failure<Fault extends GatewayFault = GatewayFault> {
  readonly ok: false;
  readonly error: Fault;
  readonly requestId: string | null;
  readonly status: Fault["status"];
  readonly response: Response;
}

export function succeed<Data>(response: Response, data: Data): Success<Data> {
  return { ok: true, data, requestId: response.headers.get("x-request-id"), response };
}

export function fail(response: Response, fault: FaultText): Failure {
  const { headers, status } = response;
  return { ok: false, error: { ...fault, status }, requestId: headers.get("x-request-id"), status, response };
}

/** Returns the data of a result, or throws a `GatewayRequestError` if the call failed. */
export function unwrap<Data>(result: Result<Data>): Data {
  if (result.ok) return result.data;
  throw new GatewayRequestError(result);
}

/** A failed call as an exception. Thrown by `unwrap`, and by a stream that fails after its first event. */
export class GatewayRequestError extends Error implements GatewayFault {
  override readonly name = "GatewayRequestError";
  readonly status: number;
  readonly type: string;
  /** Decide by this, not by the message. */
  readonly code: GatewayFault["code"];
  readonly param: string | null;
  readonly retryAfterMs?: number;
  readonly requestId: string | null;
  /** Not enumerable: printed, its headers and streams would hide the failure. */
  declare readonly response: Response;

  constructor(failure: Failure) {
    const { message, type, param, code, retryAfterMs } = failure.error;
    super(message);
    this.status = failure.status;
    this.type = type;
    this.code = code;
    this.param = param;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    this.requestId = failure.requestId;
    Object.defineProperty(this, "response", { value: failure.response });
  }

  /** The ten lines that Node prints, even if nobody catches the error. */
  [Symbol.for("nodejs.util.inspect.custom")](_depth: number, options: object, inspect: Inspect): string {
    const { stack = "", status, code, param, requestId } = this;
    const frames = stack.match(/^ {4}at .*$/gm) ?? [];
    const lines = [String(this), ...frames.slice(0, framesMax)];
    return `${lines.join("\n")} ${inspect({ status, code, param, requestId }, { ...options, compact: false })}`;
  }
}

type Inspect = (value: unknown, options: object) => string;

const framesMax = 4;
