import { readRetryAfter } from "./responses/gateway-fault.js";
import { isRecord } from "./responses/json.js";

/** Number and delays of the client's retries. */
export interface RetryOptions {
  /** Retries of one call, after its first attempt. Default: 2. At most 10. 0: the client never retries. */
  readonly max?: number | undefined;
  /** The longest wait before a retry. If the server requests a longer one, the call fails. Default: 60 seconds. */
  readonly waitMsMax?: number | undefined;
}

export type Fetch = (request: Request) => Promise<Response>;

const retriesMax = 10;
const defaultRetries = 2;
const defaultWaitMsMax = 60_000;
const firstBackoffMs = 500;
const backoffMsMax = 8000;

/**
 * A `fetch` that tries again where that is safe and the server does not object. It rejects and resolves as `fetch` does,
 * with the outcome of the last attempt.
 */
export function retrying(
  fetch: Fetch,
  { max = defaultRetries, waitMsMax = defaultWaitMsMax }: RetryOptions = {},
): Fetch {
  if (!Number.isInteger(max) || max < 0 || max > retriesMax)
    throw new TypeError(`retry.max must be a whole number from 0 to ${retriesMax}.`);
  if (!(waitMsMax >= 0))
    throw new TypeError("retry.waitMsMax must be a number of milliseconds, and not negative.");
  return async (request) => {
    for (let retry = 0; ; retry += 1) {
      const isLast = retry === max;
      const outcome = await attempt(fetch, isLast ? request : request.clone());
      if (isLast || !isRetryable(request, outcome)) return settle(outcome);
      const waitMs = waitBefore(outcome, { retry, random: Math.random() });
      if (waitMs > waitMsMax) return settle(outcome);
      await outcome.response?.body?.cancel();
      await wait(waitMs, request.signal);
    }
  };
}

/** The outcome of an attempt: a response, or the reason why none came. */
export interface Outcome {
  readonly response?: Response;
  readonly failure?: unknown;
}

/**
 * Requests by the bodies of their responses. Node forgets a request that nothing refers to, and with it that its signal ends
 * the response: a stream would then go on after an abort.
 */
const requests = new WeakMap<ReadableStream, Request>();

async function attempt(fetch: Fetch, request: Request): Promise<Outcome> {
  try {
    const response = await fetch(request);
    if (response.body !== null) requests.set(response.body, request);
    return { response };
  } catch (failure) {
    return { failure };
  }
}

function settle({ response, failure }: Outcome): Response {
  if (response === undefined) throw failure;
  return response;
}

/** Statuses after which the same request may succeed. */
const retryableStatuses = new Set([408, 409, 429, 500, 502, 503, 504]);
/** Statuses that say that the request was not begun. */
const refusedStatuses = new Set([429, 503]);

/** Whether the request may be sent again. The server's `x-should-retry` decides; else the status and the method do. */
export function isRetryable(request: Request, { response, failure }: Outcome): boolean {
  if (request.signal.aborted) return false;
  if (response === undefined) return isRepeatable(request) || hasNoConnection(failure);
  if (response.ok) return false;
  const hint = response.headers.get("x-should-retry");
  if (hint === "true" || hint === "false") return hint === "true";
  return (isRepeatable(request) ? retryableStatuses : refusedStatuses).has(response.status);
}

/**
 * Whether a request that may have run can run again. A second image is paid for twice and a second key stays unused,
 * unless an `Idempotency-Key` prevents it.
 */
function isRepeatable({ method, url, headers }: Request): boolean {
  const isCreation = method === "POST" && !new URL(url).pathname.endsWith("/embeddings");
  return !isCreation || headers.has("idempotency-key");
}

/** Codes of Node for a connection that was never made. A browser does not say why a request failed. */
const connectFailure = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/** Whether it is certain that the request was not sent. */
function hasNoConnection(failure: unknown): boolean {
  const { cause } = failure instanceof Error ? failure : {};
  return isRecord(cause) && connectFailure.test(String(cause.code));
}

/** The delay: as long as the server requests, else longer after each attempt, and never in step with others. */
export function waitBefore(
  { response }: Outcome,
  { retry, random }: { readonly retry: number; readonly random: number },
): number {
  const askedMs = response && readRetryAfter(response.headers, Date.now());
  if (askedMs !== undefined) return askedMs;
  return Math.min(firstBackoffMs * 2 ** retry, backoffMsMax) * (1 - random / 4);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}
