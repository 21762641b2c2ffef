import type { CallContext, RequestMemory } from "@model-gateway/domain/call-context";
import { type ContentCredentials, combineCredentials } from "@model-gateway/domain/content-credentials";
import { errorTable, GatewayError } from "@model-gateway/domain/errors";
import type { ImageModel, Target } from "@model-gateway/domain/model";
import type { ImageOperation } from "@model-gateway/domain/operations";
import type { FailedAttempt } from "@model-gateway/domain/request-failure";
import type {
  ImageEditRequest,
  ImageReply,
  ImageRequest,
  PartialImage,
} from "@model-gateway/domain/requests";
import type { ProviderOperations } from "@model-gateway/providers/provider";
import type { Dispatcher } from "@model-gateway/scheduling/dispatch";
import type { UsageMeter } from "../usage/usage-meter.js";
import { type Masks, withMaskFor } from "./masks.js";

export type RequestOf<K extends ImageOperation> = K extends "createImage" ? ImageRequest : ImageEditRequest;

/** The headers of a paid request. */
interface ImageRequestHeaders {
  readonly idempotencyKey: string | undefined;
  /** Whether the caller accepts fewer images than requested. */
  readonly allowPartial: boolean;
}

/** Facts about a request for images, to which the phases of its work append. */
export interface ImageRecord {
  /** The id of the model that serves it, as it is counted. */
  model: string | undefined;
  upstream: string | undefined;
  attempts: number | undefined;
  /** The calls that failed before others succeeded. */
  failedAttempts: readonly FailedAttempt[] | undefined;
  /** Of all images that were delivered. */
  contentCredentials: ContentCredentials | undefined;
}

export function noteRecovered(record: ImageRecord, failed: readonly FailedAttempt[]): void {
  record.failedAttempts = [...(record.failedAttempts ?? []), ...failed];
}

export function noteCredentials(
  record: Pick<ImageRecord, "contentCredentials">,
  credentials: ContentCredentials,
): void {
  record.contentCredentials = combineCredentials([record.contentCredentials, credentials]);
}

export function noteUpstream(record: ImageRecord, upstream: string, attempts: number): void {
  record.upstream = upstream;
  record.attempts = attempts;
}

/** A request for images, with its caller, meter and fallback. */
export interface ImageJob<K extends ImageOperation> {
  /** The id of its ledger row. A job and a line of a batch have the same one in every run. */
  readonly requestId: string;
  readonly operation: K;
  readonly model: ImageModel;
  readonly request: RequestOf<K>;
  readonly context: CallContext;
  readonly meter: UsageMeter;
  readonly memory: Pick<RequestMemory, "forReplies" | "settleReplies">;
  readonly headers: ImageRequestHeaders;
  /** The request's mask, in the forms of its targets. Absent: no mask. */
  readonly masks?: Masks;
  /** The address under which the caller reaches the gateway, for links. */
  readonly origin: string;
  /** The model to use when no target of `model` can serve the request. */
  readonly fallback: ImageModel | undefined;
  /** The facts that the work finds. They are there however it ends. */
  readonly record: ImageRecord;
  /** Called before each call: from here on it may be billed. */
  readonly onAttempt: () => void;
  /** Called with partial images of a request for a document, if its upstream sends any. Absent: none are wanted. */
  readonly onPartialImage?: ((image: PartialImage) => void) | undefined;
  /** Called with work that may outlive the caller and still needs the images it sent. */
  readonly onBackgroundWork: (work: Promise<unknown>) => void;
}

/** One call of a job. */
interface ImageCall<K extends ImageOperation, R> {
  readonly request: RequestOf<K>;
  /** Verifies a reply. It throws to reject it: then the attempt counts as the target's failure. */
  readonly accept: (reply: ImageReply, target: Target) => Promise<R>;
  readonly signal: AbortSignal;
}

/** Makes one call of a job, on the target that the scheduler picks. */
export async function callUpstream<K extends ImageOperation, R>(
  job: ImageJob<K>,
  { request, accept, signal }: ImageCall<K, R>,
  dispatcher: Dispatcher,
): Promise<R> {
  let attemptsBegun = 0;
  try {
    const { result, target, attempts, failedAttempts } = await dispatcher.dispatch({
      operation: job.operation,
      model: job.model,
      context: { ...job.context, signal },
      tokens: 0,
      request: (target) => {
        attemptsBegun += 1;
        noteUpstream(job.record, target.upstream, attemptsBegun);
        job.onAttempt();
        // A call is a request of the job's own operation.
        return withMaskFor(request, target, job.masks) as Parameters<NonNullable<ProviderOperations[K]>>[0];
      },
      accept,
    });
    noteUpstream(job.record, target.upstream, attempts);
    if (failedAttempts !== undefined) noteRecovered(job.record, failedAttempts);
    return result;
  } catch (failure) {
    if (attemptsBegun > 0 && !isNothingBilled(failure)) job.meter.markCostUnknown();
    throw withUnknownOutcome(failure, signal);
  }
}

/**
 * A failure after which it is unknown whether images were created, and billed. The error says so and stops automatic
 * retries by clients: buying again is a person's decision.
 */
export function withUnknownOutcome(failure: unknown, signal: AbortSignal): unknown {
  // A caller that has left reads no error. One whose timeout has passed reads this one, and would buy again.
  if (signal.aborted && !(failure instanceof GatewayError)) return failure;
  // A fault of the gateway after the upstream was called. Its cause is for the log.
  if (!(failure instanceof GatewayError)) {
    return new GatewayError(
      "internal_error",
      "The gateway had an error. Whether the images were created is not known.",
      { cause: failure, headers: { "x-should-retry": "false" } },
    );
  }
  // Moderation after a job began: it may be billed, but there is no image to doubt.
  const isRefusal = errorTable[failure.code].retry === "never";
  if (isNothingBilled(failure) || isRefusal || failure.headers["x-should-retry"] !== undefined)
    return failure;
  return failure.followedBy("Whether the images were created is not known.");
}

/** Whether it is certain that nothing was created. Otherwise something may have been, and is billed. */
export function isNothingBilled(failure: unknown): boolean {
  return (
    failure instanceof GatewayError &&
    !failure.isCommitted &&
    (failure.nothingBilled || errorTable[failure.code].retry === "never")
  );
}
