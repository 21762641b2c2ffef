import type { ImageModel, Price } from "../domain/model.js";
import type { ImageEditRequest, ImageReply, ImageRequest } from "../domain/requests.js";
import type { RequestTrace } from "../domain/trace.js";
import { errorTable, GatewayError } from "../errors.js";
import type { ProviderOperations } from "../providers/provider.js";
import type { Dispatch } from "../scheduling/dispatch.js";
import type { ImageWork } from "../usage/cost.js";
import type { DeliveryTools } from "./delivery/deliver.js";

export type ImageOperation = "createImage" | "createImageEdit";
export type RequestOf<K extends ImageOperation> = K extends "createImage" ? ImageRequest : ImageEditRequest;

/** Who wants images, and how. */
export interface ImageJob<K extends ImageOperation> {
  readonly operation: K;
  readonly model: ImageModel;
  readonly request: RequestOf<K>;
  readonly caller: string;
  readonly trace: RequestTrace;
  readonly idempotencyKey: string | undefined;
  readonly allowPartial: boolean;
  /** The address under which the caller reaches the gateway, for links. */
  readonly origin: string;
  readonly signal: AbortSignal;
  readonly onUpstream: (name: string, attempts: number) => void;
  /** Holds the money before anything is made. What was made before and is given again costs none. */
  readonly reserve: () => Promise<void>;
  /** Told what a target has made and what it takes for that, call by call. */
  readonly onCreated: (work: ImageWork) => void;
  /** Told when a target was asked, and nobody will know what it has made. */
  readonly onLost: () => void;
  /** Told of work that may outlive the caller, and still needs the images it sent. */
  readonly onBackgroundWork: (work: Promise<unknown>) => void;
}

/** What carries out calls. */
export interface CallNeeds {
  readonly dispatch: Dispatch;
  /** What hands over the images of an upstream. */
  readonly toolsFor: (upstream: string, origin: string) => DeliveryTools;
}

/** The target that has answered: what its images are handed over with, and what it takes for them. */
export interface ServingTarget {
  readonly tools: DeliveryTools;
  readonly price: Price | undefined;
}

export interface ImageCall<K extends ImageOperation, R> {
  readonly call: RequestOf<K>;
  /** Makes of an answer what is wanted; an answer that is not good is the failure of the target that gave it. */
  readonly accept: (answer: ImageReply, from: ServingTarget) => Promise<R>;
  readonly signal: AbortSignal;
}

/** Carries out one call of a job, on the target that the scheduler chooses. */
export async function callUpstream<K extends ImageOperation, R>(
  job: ImageJob<K>,
  { call, accept, signal }: ImageCall<K, R>,
  { dispatch, toolsFor }: CallNeeds,
): Promise<R> {
  let tries = 0;
  const { result, target, attempts } = await dispatch({
    operation: job.operation,
    model: job.model,
    request: ({ upstream }) => {
      tries += 1;
      job.onUpstream(upstream, tries);
      // A call is a request of the job's own operation.
      return call as Parameters<NonNullable<ProviderOperations[K]>>[0];
    },
    accept: (answer: ImageReply, { upstream, price }) =>
      accept(answer, { tools: toolsFor(upstream, job.origin), price }),
    caller: job.caller,
    trace: job.trace,
    tokens: 0,
    signal,
  }).catch((failure: unknown) => {
    if (tries > 0 && !isNothingMade(failure)) job.onLost();
    throw withUnknownOutcome(failure, signal);
  });
  job.onUpstream(target.upstream, attempts);
  return result;
}

/**
 * A failure that does not say whether images were made, and paid for. The error says so, and tells clients that retry
 * by themselves not to: buying again is for people to decide.
 */
export function withUnknownOutcome(failure: unknown, signal: AbortSignal): unknown {
  // Who has left reads no answer; who only allows less time reads this one, and would buy again.
  if (signal.aborted && !(failure instanceof GatewayError)) return failure;
  // A fault of our own after the upstream was asked; what it is, is for the log.
  if (!(failure instanceof GatewayError)) {
    return new GatewayError(
      "internal_error",
      "The gateway had an error. Whether the images were made is not known.",
      {
        cause: failure,
        headers: { "x-should-retry": "false" },
      },
    );
  }
  if (isNothingMade(failure) || failure.headers["x-should-retry"] !== undefined) return failure;
  const error = new GatewayError(
    failure.code,
    `${failure.message} Whether the images were made is not known.`,
    {
      cause: failure.cause,
      headers: { "x-should-retry": "false" },
    },
  );
  return Object.assign(error, { upstream: failure.upstream, attempts: failure.attempts });
}

/** Whether a failure says that nothing was made. Without one that says so, it may have been, and is paid for. */
export function isNothingMade(failure: unknown): boolean {
  return (
    failure instanceof GatewayError && (failure.nothingMade || errorTable[failure.code].retry === "never")
  );
}
