import { RequestCancelledError } from "@model-gateway/domain/call-context";
import { errorOf, errorTable, type GatewayError } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { CoalesceWindow } from "@model-gateway/domain/model";
import { type ModelOperation, modelPaths, type OperationId } from "@model-gateway/domain/operations";
import type { RequestFailure } from "@model-gateway/domain/request-failure";
import type { EditImages, PartialImage } from "@model-gateway/domain/requests";
import { isObject } from "@model-gateway/runtime/json";
import { TimeSlice } from "@model-gateway/runtime/time-slice";
import type { Logger } from "pino";
import type { KeyLookup } from "../keys/key-ring.js";
import type { LogRequest } from "../telemetry/log.js";
import { callerWithKey, invalidKey, isKey, reasons } from "./caller.js";
import { Executor, type ExecutorOptions } from "./executor.js";
import { describeError } from "./finish-request.js";
import type { HandlerResponse } from "./handler.js";
import { takeMemory } from "./json/parse-json.js";
import { noteError, noteErrorHeaders, visibleBody } from "./note-error.js";
import { type OpenOptions, openArrival } from "./open-arrival.js";
import type { Arrival } from "./request-context.js";
import { RequestSummary } from "./request-summary.js";
import { noteResponseHeaders } from "./response-headers.js";
import type { RequestSource } from "./valid-request.js";
import type { Operation } from "./validation/spec.js";

/** A request without a connection: a job, or a line of a batch. */
export interface DetachedRequest {
  readonly operation: ModelOperation;
  readonly keyId: string;
  /** Also the id of the ledger row: a second run with the same id writes no second row. */
  readonly requestId: string;
  /** A JSON body, or the fields of a form. It is validated here. */
  readonly body: unknown;
  /** Absent: JSON. */
  readonly contentType?: "application/json" | "multipart/form-data" | undefined;
  /** The length of the request in bytes, with its images, as it was sent. */
  readonly bytes: number;
  /** The images of an edit. They replace those that its body names. */
  readonly images?: EditImages | undefined;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address at which the caller reaches the gateway, for links. */
  readonly origin: string;
  /** The batch that it is a line of. Its embeddings share upstream calls with the other lines. */
  readonly batchId?: string | undefined;
  /** The image job that it is the run of. */
  readonly jobId?: string | undefined;
  /** Whether it will run again after this error. Then this run has no ledger row: the last one has it. Absent: never. */
  readonly runsAgain?: (error: GatewayError) => boolean;
  /** Called with partial images on the way to the response. Absent: none are wanted. */
  readonly onPartialImage?: ((image: PartialImage) => void) | undefined;
  /** The request is given up when this aborts. Absent: never. */
  readonly signal?: AbortSignal;
}

export interface DetachedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. An error has the body that a caller would have got. */
  readonly body: Buffer;
  /** The error behind the body, if it is one. */
  readonly error?: GatewayError;
  /** The same as it is recorded, for operators. */
  readonly failure?: RequestFailure;
}

/** Whether a limit or a full queue of the gateway refused the request: nothing was called, and it may run later. */
export function isRefusedForNow({ code, upstream, upstreamStatus, retryAfterMs }: GatewayError): boolean {
  const hasAskedUpstream = upstream !== undefined || upstreamStatus !== undefined;
  return !hasAskedUpstream && retryAfterMs !== undefined && errorTable[code].callerRetry === "later";
}

/**
 * Runs a request as if it had arrived over HTTP: the same key, validation, rights, limits, budget, metrics, trace, log
 * line and ledger row. A failure is a response. It rejects only when the signal aborts.
 */
export type RunDetached = (request: DetachedRequest) => Promise<DetachedResponse>;

interface DetachedOptions extends ExecutorOptions, Omit<OpenOptions, "accounting" | "secrets"> {
  readonly findKey: (id: string) => Promise<KeyLookup>;
  readonly logRequest: LogRequest;
  readonly log: Logger;
  readonly secrets: HideSecrets;
}

export function createDetachedRunner(
  operations: readonly Operation[],
  options: DetachedOptions,
): RunDetached {
  const fronts = new Map<string, DetachedFront>(
    operations.flatMap((operation) =>
      operation.id in modelPaths ? [[operation.id, new DetachedFront(operation, options)]] : [],
    ),
  );
  return async (request) => {
    const front = fronts.get(request.operation);
    if (front === undefined) throw new Error(`The spec has no operation ${request.operation}.`);
    const { requestId: id, signal, origin } = request;
    signal?.throwIfAborted();
    const summary = new RequestSummary();
    const asked = { id, origin, isHead: false, clientRequestId: undefined, summary };
    const arrival = openArrival(asked, options);
    const { lifetime } = arrival;
    const onAbort = () => lifetime.abort(new RequestCancelledError());
    signal?.addEventListener("abort", onAbort);
    try {
      return await front.serve(request, arrival, summary);
    } catch (thrown) {
      throw lifetime.hasCallerLeft ? signal?.reason : thrown;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      lifetime.close();
      // Waits for work that other requests share.
      await arrival.end(499);
    }
  };
}

/** Lines of a batch wait for each other: they start one after the other, and the window ends when no more come. */
const batchWindow: CoalesceWindow = { windowMs: 50, isSinceLast: true, maxInputs: 2048 };

/** The front of requests without a connection: their caller and their body are at hand, and the response is kept. */
class DetachedFront {
  readonly #executor: Executor;
  readonly #path: string;
  readonly #options: DetachedOptions;

  constructor(operation: Operation, options: DetachedOptions) {
    this.#executor = new Executor(operation, options);
    this.#path = operation.path;
    this.#options = options;
  }

  /** A failure is a response. It rejects only when the caller is gone. */
  async serve(
    request: DetachedRequest,
    arrival: Arrival,
    summary: RequestSummary,
  ): Promise<DetachedResponse> {
    const { now, logRequest } = this.#options;
    summary.batchId = request.batchId;
    summary.jobId = request.jobId;
    summary.requestBytes = request.bytes;
    let status = 499;
    try {
      const response = await this.#respond(request, arrival, summary);
      status = response.status;
      return response;
    } finally {
      const ms = now() - arrival.startedAt;
      logRequest({ arrival, summary, method: "POST", url: this.#path, status, ms });
    }
  }

  async #respond(
    request: DetachedRequest,
    arrival: Arrival,
    summary: RequestSummary,
  ): Promise<DetachedResponse> {
    const { log, secrets } = this.#options;
    this.#executor.begin({ method: "POST", path: this.#path, headers: request.headers }, arrival, summary);
    try {
      const given = await this.#run(request, arrival, summary);
      noteResponseHeaders(arrival, given.headers);
      return await respond(arrival, 200, await bodyOf(given));
    } catch (thrown) {
      if (arrival.lifetime.hasCallerLeft) {
        summary.errorCode = "caller_left";
        throw thrown;
      }
      const error = noteError(thrown, arrival, log);
      // Its own earlier run has the key, and may have bought the images.
      if (error.code === "idempotency_outcome_unknown") summary.meter?.markCostUnknown();
      summary.isRecorded = request.runsAgain?.(error) !== true;
      noteErrorHeaders(arrival, error, secrets);
      const body = Buffer.from(JSON.stringify(visibleBody(error, secrets)));
      const failure = describeError(error, summary, secrets);
      return { ...(await respond(arrival, error.status, body)), error, failure };
    }
  }

  async #run(
    request: DetachedRequest,
    arrival: Arrival,
    summary: RequestSummary,
  ): Promise<HandlerResponse<OperationId>> {
    const { keyId, body, bytes, images, batchId, onPartialImage } = request;
    const key = await this.#options.findKey(keyId);
    if (!isKey(key)) throw invalidKey(reasons[key]);
    this.#executor.authorize(callerWithKey(key), arrival, summary);
    this.#executor.reserve(arrival);
    // Images are not in memory, and without them a body is small.
    if (images === undefined)
      await takeMemory(bytes, { memory: arrival.memory, signal: arrival.signal, caller: key.id });
    refuseStream(body);
    const source = sourceOf(request);
    const subject = { url: this.#path, headers: source.headers, query: {}, params: {}, body };
    const coalesce = batchId === undefined ? undefined : batchWindow;
    return this.#executor.run({ source, subject, images }, arrival, { summary, coalesce, onPartialImage });
  }
}

/** A stream needs a reader. */
function refuseStream(body: unknown): void {
  if (!isObject(body) || body.stream !== true) return;
  throw errorOf("invalid_value", {
    param: "stream",
    reason: "the response of a job or of a batch line cannot be streamed",
  });
}

function sourceOf({ headers, contentType = "application/json" }: DetachedRequest): RequestSource {
  return {
    headers: { ...headers, "content-type": contentType },
    accepts: ([first]) => first ?? false,
  };
}

async function respond(arrival: Arrival, status: number, body: Buffer): Promise<DetachedResponse> {
  const { headers, summary, finish } = arrival;
  summary.responseBytes = body.length;
  await finish(status);
  const noted: Record<string, string> = {};
  for (let at = 0; at < headers.length; at += 2) noted[headers[at] ?? ""] = headers[at + 1] ?? "";
  return { status, headers: noted, body };
}

async function bodyOf(given: HandlerResponse<OperationId>): Promise<Buffer> {
  if ("chunks" in given) {
    const slice = new TimeSlice();
    const copied: Buffer[] = [];
    for (const chunk of given.chunks) {
      copied.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
      if (slice.isOver) await slice.yield();
    }
    const body = Buffer.concat(copied);
    given.onSent?.();
    return body;
  }
  if ("body" in given) return Buffer.from(JSON.stringify(given.body));
  throw new Error("An operation of a model responded with neither a document nor chunks.");
}
