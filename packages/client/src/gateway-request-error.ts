import type { GatewayFault } from "./gateway-fault.js";
import type { Failure } from "./result.js";

/** A failed call as an exception: thrown by `unwrap`, and by a stream that fails after it began. */
export class GatewayRequestError extends Error implements GatewayFault {
  override readonly name = "GatewayRequestError";
  readonly type: string;
  readonly param: string | null;
  /** What programs decide by. */
  readonly code: string | null;
  readonly retryAfterMs?: number;
  readonly status: number;
  readonly requestId: string | null;
  readonly response: Response;

  constructor(failure: Failure) {
    const { message, type, param, code, retryAfterMs } = failure.error;
    super(message);
    this.type = type;
    this.param = param;
    this.code = code;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    this.status = failure.status;
    this.requestId = failure.requestId;
    this.response = failure.response;
  }
}
