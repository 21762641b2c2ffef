import { errorTable, GatewayError } from "@model-gateway/domain/errors";
import type { ImageReply } from "@model-gateway/domain/requests";
import { withoutUndefined } from "@model-gateway/runtime/json";
import { type Call, ownCall } from "../../call.js";
import { readJson } from "../../http/json-request.js";
import type { OutgoingRequest, Send } from "../../http/send.js";
import { imageReply } from "../images/image-reply.js";
import type { ReadResultLink } from "./result-links.js";

/** A job that was accepted. */
export interface AcceptedJob<R> {
  /** Asks for the state of the job. Undefined while it runs. It throws where the job failed. */
  readonly read: () => Promise<R | undefined>;
  /** The cost of the job that the provider reports, in US dollars. Absent: it reports none. */
  readonly reportedUsd?: number | undefined;
  /** Stops the job at the provider. Absent where it cannot. */
  readonly cancel?: (call: Call) => Promise<unknown>;
}

/** The job itself has failed: its state is not worth another look. */
export class JobFailedError extends GatewayError {
  constructor(message = "The upstream failed to create the image.", cause?: Error) {
    super("upstream_error", message, { cause });
  }
}

const firstPauseMs = 500;
const pauseMsMax = 2000;
const growth = 1.5;
/** A state that could not be read this often in a row is given up. */
const failuresMax = 5;

/**
 * Polls a job's state until it is done, with growing pauses, within the time of its call. The job may have been billed:
 * a state that cannot be read for a moment is read again, and the job is never restarted.
 */
export async function pollJob<R>(call: Call, { read }: Pick<AcceptedJob<R>, "read">): Promise<R> {
  let pauseMs = firstPauseMs;
  let failures = 0;
  for (;;) {
    let waitMs = pauseMs;
    try {
      const result = await read();
      if (result !== undefined) return result;
      failures = 0;
    } catch (failure) {
      failures += 1;
      if (!isPassing(failure, call) || failures >= failuresMax) throw failure;
      waitMs = Math.max(pauseMs, failure.retryAfterMs ?? 0);
    }
    if (call.remainingMs <= waitMs) throw jobTimedOut(call);
    await call.wait(waitMs);
    pauseMs = Math.min(pauseMsMax, pauseMs * growth);
  }
}

/** A provider's way to create images in a job. */
interface JobCreation<R> {
  readonly send: Send;
  readonly readLink: ReadResultLink;
  /** Reads the reply that accepted the job. */
  readonly begin: (accepted: unknown) => AcceptedJob<R>;
  /** The links to the images, not yet checked. */
  readonly linksIn: (result: R) => readonly unknown[];
  /** The seconds of its hardware that the provider reports. Absent: it reports none. */
  readonly secondsIn?: (result: R) => number | undefined;
}

/** Creates images in a job. */
export async function createInJob<R>(
  request: OutgoingRequest,
  call: Call,
  { send, readLink, begin, linksIn, secondsIn }: JobCreation<R>,
): Promise<ImageReply> {
  const reply = await send(request, call);
  // From here on the job is accepted, and may be billed.
  call.committed();
  const job = begin(await readJson(reply));
  const result = await finishJob(call, job);
  const billed = { reportedUsd: job.reportedUsd, computeSeconds: secondsIn?.(result) };
  return imageReply(linksIn(result).map(readLink), withoutUndefined(billed));
}

/**
 * Polls a job, and cancels it when its result is not needed: its caller has left, or its time is over. Nothing waits
 * for the cancellation, and its failure changes nothing.
 */
export async function finishJob<R>(call: Call, { read, cancel }: AcceptedJob<R>): Promise<R> {
  try {
    return await pollJob(call, { read });
  } catch (failure) {
    const isTimeout = failure instanceof GatewayError && failure.code === "upstream_timeout";
    if (call.signal.aborted || isTimeout) cancel?.(detachedCall(call)).catch(() => undefined);
    throw failure;
  }
}

/** Whether the state may be readable a moment later. */
function isPassing(failure: unknown, { signal }: Call): failure is GatewayError {
  if (!(failure instanceof GatewayError) || failure instanceof JobFailedError || signal.aborted) return false;
  const { retry } = errorTable[failure.code];
  // Another target cannot help, but the same one may recover: it is throttled or slow.
  return (
    retry === "anywhere" || failure.code === "rate_limit_exceeded" || failure.code === "upstream_timeout"
  );
}

function jobTimedOut({ timeoutMs }: Call): GatewayError {
  return new GatewayError("upstream_timeout", `The upstream did not finish its job within ${timeoutMs} ms.`);
}

/** Time limit of a job's cancellation. */
const cancelMs = 5000;

/**
 * A call for cleanup after a caller has left, such as cancelling a job: its signal does not abort, and its time is
 * short.
 */
export function detachedCall({ target }: Call): Call {
  return ownCall({ target, signal: new AbortController().signal, timeoutMs: cancelMs });
}
