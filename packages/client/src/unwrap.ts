import { GatewayRequestError } from "./gateway-request-error.js";
import type { Result } from "./result.js";

/** The data of a result; throws a `GatewayRequestError` when the call failed. */
export function unwrap<Data>(result: Result<Data>): Data {
  if (result.ok) return result.data;
  throw new GatewayRequestError(result);
}
