import type { GatewayClient } from "./gateway-client.js";
import type { CallOptions } from "./request-options.js";
import type { NotReady, Readiness } from "./responses/read-response.js";
import type { Failure, Result, Success } from "./responses/result.js";

/** The methods as they are written: a failure has any status and any code. */
export type PlainClient = {
  readonly [Name in keyof GatewayClient]: Name extends "checkReadiness"
    ? (options?: CallOptions) => Promise<Success<Readiness> | NotReady<Failure>>
    : Plain<GatewayClient[Name]>;
};

type Plain<Method> = Method extends (...given: infer Given) => Promise<infer Settled>
  ? (...given: Given) => Promise<Result<DataOf<Settled>>>
  : Method;

type DataOf<Settled> = Settled extends Success<infer Data> ? Data : never;

/** A failure has its response's status, and the spec lists the codes for it. */
export function typeFailures(client: PlainClient): GatewayClient {
  return client as GatewayClient;
}
