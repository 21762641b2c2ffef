import type { OperationId } from "../operations.js";
import type { errorCodes } from "../spec.js";
import type { ClientCode, FaultCode, GatewayFault } from "./gateway-fault.js";
import type { Failure } from "./result.js";

/** How a call of an operation fails. Its `status` tells the members apart. */
export type FailureOf<K extends OperationId> =
  | FailureAt<FaultOf<K, ErrorStatus<K>>>
  | Failure<GatewayFault<Exclude<HttpStatus, ErrorStatus<K>>, ClientCode>>;

type FailureAt<Fault extends GatewayFault> = Fault extends unknown ? Failure<Fault> : never;

/** Why an operation fails with a status: its code is one that the spec lists for both, or one of this package. */
export type FaultOf<K extends OperationId, Status extends ErrorStatus<K>> = Status extends unknown
  ? GatewayFault<Status, Extract<errorCodes[K][Status], FaultCode> | ClientCode>
  : never;

/** The statuses with which the gateway refuses or fails an operation. Others come from a proxy in between. */
export type ErrorStatus<K extends OperationId> = keyof errorCodes[K] & number;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Every final status of HTTP. `number` would leave nothing out when a status is compared. */
type HttpStatus = `${2 | 3 | 4 | 5}${Digit}${Digit}` extends infer Text
  ? Text extends `${infer Status extends number}`
    ? Status
    : never
  : never;
