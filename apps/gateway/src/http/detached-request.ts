import type { AccessKey } from "../domain/access-key.js";
import { RequestCancelledError } from "../domain/call-context.js";
import { isObject } from "../domain/json.js";
import type { CoalesceWindow } from "../domain/model.js";
import type { RequestFailure } from "../domain/request-failure.js";
import type { PartialImage } from "../domain/requests.js";
import { errorOf, errorTable, type GatewayError } from "../errors.js";
import type { KeyLookup } from "../keys/key-ring.js";
import { type ModelOperation, meteredOperation, modelPaths, type OperationId } from "../operations.js";
import { TimeSlice } from "../runtime/time-slice.js";
import type { Handler, HandlerResponse } from "./handler.js";
import { invalidKey, isKey, reasons } from "./request/authenticate.js";
import { type BeginOptions, startTimeout, timeoutHeader } from "./request/begin-request.js";
import { callerWithKey } from "./request/caller.js";
import type { EditImages } from "./request/edit-form.js";
import { describeError, finishRequest, noteAttempt } from "./request/finish-request.js";
import { takeMemory } from "./request/read-json.js";
import type { Arrival } from "./request/request-context.js";
import { RequestLifetime } from "./request/request-lifetime.js";
import { RequestSummary } from "./request/request-summary.js";
import type { Operation } from "./request/spec.js";
import { noteError, noteErrorHeaders, visibleBody } from "./response/write-error.js";
import { noteResponseHeaders } from "./response/write-response.js";
import type { ServeOptions } from "./serve-operation.js";
import { contextOf, createValidRequests, type RequestSource, requestedModel } from "./valid-request.js";

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

interface DetachedOptions
  extends Pick<
      ServeOptions,
      "validator" | "descriptors" | "handlers" | "accounting" | "openMeter" | "log" | "secrets"
    >,
    Pick<
      BeginOptions,
      "now" | "countedModel" | "exposesUpstream" | "logRequest" | "openMemory" | "inFlight"
    > {
  readonly findKey: (id: string) => Promise<KeyLookup>;
}

export function createDetachedRunner(
  operations: readonly Operation[],
  options: DetachedOptions,
): RunDetached {
  const servers = new Map<string, ServeDetached>(
    operations.flatMap((operation) =>
      operation.id in modelPaths ? [[operation.id, createDetachedServer(operation, options)]] : [],
    ),
  );
  return async (request) => {
    const serve = servers.get(request.operation);
    if (serve === undefined) throw new Error(`The spec has no operation ${request.operation}.`);
    const { signal } = request;
    signal?.throwIfAborted();
    const summary = new RequestSummary();
    const arrival = arrive(request, summary, options);
    const onAbort = () => arrival.lifetime.abort(new RequestCancelledError());
    signal?.addEventListener("abort", onAbort);
    options.inFlight.begin(arrival);
    try {
      return await serve(request, arrival, summary);
    } catch (thrown) {
      throw arrival.lifetime.hasCallerLeft ? signal?.reason : thrown;
    } finally {
      signal?.removeEventListener("abort", onAbort);
      await leave(arrival, options);
    }
  };
}

function arrive(
  { requestId: id, origin, batchId, jobId, bytes }: DetachedRequest,
  summary: RequestSummary,
  options: DetachedOptions,
): Arrival {
  const lifetime = new RequestLifetime();
  summary.batchId = batchId;
  summary.jobId = jobId;
  summary.requestBytes = bytes;
  let finished: Promise<void> | undefined;
  const arrival: Arrival = {
    id,
    startedAt: options.now(),
    arrivedAt: Date.now(),
    isHead: false,
    clientRequestId: undefined,
    origin,
    signal: lifetime.signal,
    memory: options.openMemory(),
    exposesUpstream: options.exposesUpstream,
    headers: ["x-request-id", id],
    lifetime,
    summary,
    place: { index: -1, turn: 0 },
    onActive: () => options.inFlight.note(arrival),
    finish: (status) => {
      finished ??= finishRequest(arrival, lifetime.hasCallerLeft ? 499 : status, options);
      return finished;
    },
    noteAttempt: () => noteAttempt(arrival, options),
  };
  return arrival;
}

/** Waits for work that other requests share. A request that was given up is recorded after it, when its cost is known. */
async function leave(arrival: Arrival, { inFlight }: Pick<DetachedOptions, "inFlight">): Promise<void> {
  const { lifetime, memory, finish } = arrival;
  lifetime.close();
  await lifetime.untilIdle();
  try {
    await finish(499);
  } finally {
    lifetime.end();
    memory.release();
    inFlight.end(arrival);
  }
}

type ServeDetached = (
  request: DetachedRequest,
  arrival: Arrival,
  summary: RequestSummary,
) => Promise<DetachedResponse>;

/** Lines of a batch wait for each other: they start one after the other, and the window ends when no more come. */
const batchWindow: CoalesceWindow = { windowMs: 50, isSinceLast: true, maxInputs: 2048 };

function createDetachedServer(operation: Operation, options: DetachedOptions): ServeDetached {
  const { accounting, validator, log, secrets, handlers } = options;
  const handler = handlers[operation.id] as Handler<OperationId>;
  const toValid = createValidRequests(operation);
  const metered = meteredOperation(operation.id);
  const { path } = operation;

  const handle = async (
    request: DetachedRequest,
    arrival: Arrival,
    summary: RequestSummary,
  ): Promise<HandlerResponse<OperationId>> => {
    const { signal, lifetime, memory, onActive } = arrival;
    const key = await findKey(request.keyId, options);
    summary.caller = callerWithKey(key);
    summary.meter = options.openMeter(key);
    signal.throwIfAborted();
    options.descriptors.beginRequest();
    lifetime.whenClosed(() => options.descriptors.endRequest());
    // Images are not in memory, and without them a body is small.
    if (request.images === undefined)
      await takeMemory(request.bytes, { memory, signal, onActive, caller: key.id });
    refuseStream(request.body);
    const source = sourceOf(request);
    const { images, body } = request;
    const subject = { url: path, headers: source.headers, query: {}, params: {}, body };
    summary.requestedModel = requestedModel(subject);
    await validator.validate(subject, operation);
    const { batchId, onPartialImage } = request;
    const coalesce = batchId === undefined ? undefined : batchWindow;
    const context = contextOf(arrival, summary, { coalesce, onPartialImage });
    return handler(toValid(source, { ...subject, images, file: undefined }, context));
  };

  return async (request, arrival, summary) => {
    accounting.metrics.begin(metered);
    summary.operation = metered;
    const { headers } = request;
    summary.trace = accounting.tracer.begin({
      operation: metered,
      method: "POST",
      route: path,
      path,
      traceparent: headers.traceparent,
      tracestate: headers.tracestate,
    });
    if (headers[timeoutHeader] !== undefined) startTimeout(request, arrival.lifetime);
    let status = 200;
    try {
      const given = await handle(request, arrival, summary);
      noteResponseHeaders(arrival, given.headers);
      return await respond(arrival, status, await bodyOf(given));
    } catch (thrown) {
      if (arrival.lifetime.hasCallerLeft) {
        status = 499;
        summary.errorCode = "caller_left";
        throw thrown;
      }
      const error = noteError(thrown, arrival, log);
      status = error.status;
      // Its own earlier run has the key, and may have bought the images.
      if (error.code === "idempotency_outcome_unknown") summary.meter?.markCostUnknown();
      summary.isRecorded = request.runsAgain?.(error) !== true;
      noteErrorHeaders(arrival, error, secrets);
      const body = Buffer.from(JSON.stringify(visibleBody(error, secrets)));
      const failure = describeError(error, summary, secrets);
      return { ...(await respond(arrival, status, body)), error, failure };
    } finally {
      const ms = options.now() - arrival.startedAt;
      options.logRequest({ arrival, summary, method: "POST", url: path, status, ms });
    }
  };
}

async function findKey(id: string, { findKey }: Pick<DetachedOptions, "findKey">): Promise<AccessKey> {
  const verdict = await findKey(id);
  if (isKey(verdict)) return verdict;
  throw invalidKey(reasons[verdict]);
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
