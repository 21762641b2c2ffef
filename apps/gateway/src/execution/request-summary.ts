import type { BulkCall } from "@model-gateway/domain/call-context";
import type { ContentCredentials } from "@model-gateway/domain/content-credentials";
import type { GatewayError } from "@model-gateway/domain/errors";
import type { ModelEnd } from "@model-gateway/domain/model-end";
import type { OperationId } from "@model-gateway/domain/operations";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import { noTrace, type RequestTrace } from "@model-gateway/domain/trace";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Caller } from "./caller.js";

/**
 * Facts that the phases of a request have found so far, in the order in which they run. Its log line and its ledger row
 * are written from it. Every phase gets this object under its own type below, so the compiler knows which phase writes
 * what.
 */
export class RequestSummary {
  /** Undefined where no path matched. */
  operation: OperationId | undefined = undefined;
  trace: RequestTrace = noTrace;
  /** The client's address. Only known where a key was refused, and in operations of the admin API. */
  address: string | undefined = undefined;
  /** Undefined until the caller is authenticated. */
  caller: Caller | undefined = undefined;
  meter: UsageMeter | undefined = undefined;
  /** The batch that the request is a line of. */
  batchId: string | undefined = undefined;
  /** The image job that runs it. */
  jobId: string | undefined = undefined;
  requestBytes = 0;
  /** The model that the request names, of any length and form. */
  requestedModel: string | undefined = undefined;
  /** The configured model. */
  model: string | undefined = undefined;
  /** The announced end of the configured model. */
  end: ModelEnd | undefined = undefined;
  /** Present where the request has the priority `bulk`. */
  bulk: BulkCall | undefined = undefined;
  upstream: string | undefined = undefined;
  attempts: number | undefined = undefined;
  /** The calls that failed before others succeeded. An error has its own. */
  failedAttempts: readonly FailedAttempt[] | undefined = undefined;
  cache: "hit" | "partial" | "miss" | undefined = undefined;
  /** True where the upstream did not report its tokens. */
  tokensEstimated: true | undefined = undefined;
  /** Known where images were delivered. */
  contentCredentials: ContentCredentials | undefined = undefined;
  errorCode: string | undefined = undefined;
  /** The error behind the code. A caller that left has none. */
  error: GatewayError | undefined = undefined;
  responseBytes = 0;
  /** False where another request has the ledger row: the run of a job, or a later attempt. */
  isRecorded = true;
}

/** `Executor.begin`: the path matched an operation. */
export type RoutePhase = Pick<RequestSummary, "operation" | "trace">;

/** The front, and `Executor.authorize`: the caller has presented a key, and it was looked up. */
export type CallerPhase = Pick<RequestSummary, "address" | "caller" | "meter">;

/** `readBody`, and `Executor.run` after it. */
export type BodyPhase = Pick<RequestSummary, "requestBytes" | "requestedModel">;

/** `authorizeModel`, and a request for images that falls back to another model. */
export type ModelPhase = Pick<RequestSummary, "model" | "end" | "bulk">;

/** The handler of a request that becomes a job. */
export type JobPhase = Pick<RequestSummary, "isRecorded">;

/** The handler of an operation that calls upstreams. */
export type UpstreamPhase = Pick<
  RequestSummary,
  "upstream" | "attempts" | "failedAttempts" | "cache" | "tokensEstimated" | "contentCredentials"
>;

/** The front, which takes the response. An error names the upstream that failed. */
export type ResponsePhase = Pick<
  RequestSummary,
  "errorCode" | "error" | "responseBytes" | "upstream" | "attempts"
>;
