import type { ClientCode, FaultCode, GatewayFault } from "./responses/gateway-fault.js";
import type { Failure } from "./responses/result.js";
import type { ClientMethods, errorCodes, operations } from "./spec.js";

/** The operations of this client: all but those in the form of another API, whose own clients call them. */
export type OperationId = ClientMethods[keyof ClientMethods]["operation"];

/** The document with which an operation responds at a status. */
export type DocumentAt<K extends OperationId, Status extends 200 | 202 = 200> = ContentAt<
  K,
  Status,
  "application/json"
>;

/** The events of a stream. Failures are thrown. */
export type EventOf<K extends OperationId> = Exclude<
  ContentAt<K, 200, "text/event-stream">,
  { readonly type: "error" }
>;

/** An event of `streamEvents`. */
export type GatewayEvent = EventOf<"streamEvents">;

/** An event of `createImageStream`: an unfinished image or a finished one. */
export type ImageEvent = EventOf<"createImage">;

/** An event of `createImageEditStream`: an unfinished image or a finished one. */
export type ImageEditEvent = EventOf<"createImageEdit">;

type ContentAt<K extends OperationId, Status extends number, Type extends string> = operations[K] extends {
  responses: { [At in Status]: { content: { [Of in Type]: infer Content } } };
}
  ? Content
  : never;

/** The failures of an operation. `status` discriminates the members. */
export type FailureOf<K extends OperationId> =
  | FailureAt<FaultOf<K, ErrorStatus<K>>>
  | Failure<GatewayFault<Exclude<HttpStatus, ErrorStatus<K>>, ClientCode>>;

type FailureAt<Fault extends GatewayFault> = Fault extends unknown ? Failure<Fault> : never;

/** Why an operation fails with a status: its code is one that the spec lists for both, or this package's. */
export type FaultOf<K extends OperationId, Status extends ErrorStatus<K>> = Status extends unknown
  ? GatewayFault<Status, Extract<errorCodes[K][Status], FaultCode> | ClientCode>
  : never;

/** The statuses with which the gateway refuses or fails an operation. Others come from a proxy in between. */
export type ErrorStatus<K extends OperationId> = keyof errorCodes[K] & number;

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** Every final HTTP status. `number` would leave nothing out when a status is compared. */
type HttpStatus = `${2 | 3 | 4 | 5}${Digit}${Digit}` extends infer Text
  ? Text extends `${infer Status extends number}`
    ? Status
    : never
  : never;

/** The query of an operation that lists or reports. */
export type QueryOf<K extends OperationId> = operations[K] extends { parameters: { query?: infer Query } }
  ? Readonly<NonNullable<Query>>
  : never;
