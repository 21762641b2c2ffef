import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { ResourceLimits } from "../config/config.js";
import type { AccessKey } from "../domain/access-key.js";
import type { Tracer } from "../domain/trace.js";
import { meteredOperation, type OperationId, traitsOf } from "../operations.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Descriptors } from "./descriptors.js";
import type { Handler, Handlers, ValidRequest } from "./handler.js";
import type { Authenticate } from "./request/authenticate.js";
import { type Accounting, startTimeout, timeoutHeader } from "./request/begin-request.js";
import type { ClientAddress } from "./request/client-address.js";
import { knownParameters, separateExtras } from "./request/extras.js";
import { readBody } from "./request/read-body.js";
import type { FormReader } from "./request/read-form.js";
import {
  type Arrival,
  arrivalOf,
  headerOf,
  type RequestContext,
  summaryOf,
} from "./request/request-context.js";
import type { CallerPhase, RequestSummary, RoutePhase } from "./request/request-summary.js";
import { isAdminAccess, type Operation } from "./request/spec.js";
import type { Validator } from "./request/validate.js";
import { addHeader } from "./response/headers.js";
import { writeResponse } from "./response/write-response.js";

export interface ServeOptions {
  /** By the access that an operation requires. */
  readonly authenticate: Readonly<Record<Exclude<Operation["access"], "public">, Authenticate>>;
  readonly clientAddress: ClientAddress;
  readonly validator: Validator;
  readonly forms: FormReader;
  readonly descriptors: Descriptors;
  readonly handlers: Handlers;
  readonly limits: ResourceLimits;
  readonly accounting: Accounting & { readonly tracer: Tracer };
  readonly openMeter: (key: AccessKey) => UsageMeter;
  readonly log: Logger;
  readonly secrets: HideSecrets;
}

/** Their responses have the one secret that they create. */
const secretOperations: ReadonlySet<string> = new Set<OperationId>(["createKey", "createSession"]);

/** The path of every request: route, authenticate, read the body, validate it against the spec, handle it, respond. */
export function serveOperation(operation: Operation, options: ServeOptions): RequestHandler {
  const { authenticate, handlers } = options;
  const route = createRoute(operation, options);
  const identify =
    operation.access === "public"
      ? undefined
      : createIdentification(operation.access, authenticate[operation.access], options);
  const reserve = createReservation(operation, options);
  const readValid = createReader(operation, options);
  const isAdmin = isAdminAccess(operation.access);
  const hidesSecrets = isAdmin && !secretOperations.has(operation.id);
  const handler = handlers[operation.id] as Handler<typeof operation.id>;
  const serve = async (request: Request, response: Response): Promise<void> => {
    const arrival = arrivalOf(response);
    const summary = summaryOf(response);
    route(request, arrival, summary);
    if (identify !== undefined) await identify(request, response, summary);
    // A caller may have left while its key was looked up.
    arrival.signal.throwIfAborted();
    reserve(request, arrival);
    const valid = await readValid(request, response, summary);
    const compresses = isAdmin && request.acceptsEncodings("gzip") === "gzip";
    await writeResponse(response, await handler(valid), { ...options, compresses, hidesSecrets });
  };
  return (request, response) => arrivalOf(response).lifetime.serve(serve(request, response));
}

type Route = (request: Request, arrival: Arrival, phase: RoutePhase) => void;

/** Counts the request, and begins its trace and its timeout. */
function createRoute(operation: Operation, { accounting }: ServeOptions): Route {
  const metered = meteredOperation(operation.id);
  // Elsewhere the header has no effect, as the spec says.
  const takesTimeout = operation.headers.has(timeoutHeader);
  return (request, { lifetime }, phase) => {
    if (takesTimeout && request.headers[timeoutHeader] !== undefined) startTimeout(request, lifetime);
    accounting.metrics.begin(metered);
    phase.operation = metered;
    phase.trace = accounting.tracer.begin({
      operation: metered,
      method: request.method,
      route: operation.path,
      path: request.path,
      traceparent: headerOf(request, "traceparent"),
      tracestate: headerOf(request, "tracestate"),
    });
  };
}

type Identify = (request: Request, response: Response, phase: CallerPhase) => Promise<void>;

function createIdentification(
  access: Operation["access"],
  authenticate: Authenticate,
  { clientAddress, openMeter }: ServeOptions,
): Identify {
  const isAdmin = isAdminAccess(access);
  return async (request, response, phase) => {
    if (isAdmin) {
      phase.address = clientAddress(request);
      // Admin responses and errors are for the operator alone.
      addHeader(response, "cache-control", "no-store");
    }
    try {
      phase.caller = await authenticate(request);
    } catch (refusal) {
      phase.address ??= clientAddress(request);
      throw refusal;
    }
    const { key } = phase.caller;
    phase.meter = key === undefined ? undefined : openMeter(key);
  };
}

type Reserve = (request: Request, arrival: Arrival) => void;

/** A request that may call an upstream needs a file descriptor for its connection. */
function createReservation({ id }: Operation, { descriptors }: ServeOptions): Reserve {
  const mayCallUpstream = traitsOf(meteredOperation(id)) !== undefined;
  const release = () => descriptors.endRequest();
  return (request, { lifetime }) => {
    // A form reserves more, in one step, when it is read.
    if (!mayCallUpstream || request.headers["content-type"]?.startsWith("multipart/") === true) return;
    descriptors.beginRequest();
    lifetime.whenClosed(release);
  };
}

type ReadValid<K extends OperationId> = (
  request: Request,
  response: Response,
  summary: RequestSummary,
) => Promise<ValidRequest<K>>;

/** Reads the body, and validates the whole request against the spec. */
function createReader(operation: Operation, options: ServeOptions): ReadValid<typeof operation.id> {
  const known = knownParameters(operation);
  const reading = { operation, forms: options.forms, limits: options.limits };
  return async (request, response, summary) => {
    const { body, images } = await readBody(request, response, { ...reading, phase: summary });
    const subject = {
      url: request.url,
      headers: request.headers,
      query: request.url.includes("?") ? request.query : {},
      params: request.params,
      body,
    };
    await options.validator.validate(subject, operation);
    // The validator has cut off its parameters.
    const names = known.get(request.headers["content-type"] ?? "");
    const separated = names === undefined ? undefined : separateExtras(body as object, names);
    // The spec that the request was validated against is the source of these types.
    return {
      body: separated?.named ?? body,
      extras: separated?.extras,
      parameters: subject.params,
      context: contextOf(arrivalOf(response), summary),
      header: (name: string) => headerOf(request, name),
      query: subject.query,
      accepts: (...types: string[]) => request.accepts(types) || undefined,
      images,
    } as ValidRequest<typeof operation.id>;
  };
}

function contextOf(arrival: Arrival, summary: RequestSummary): RequestContext {
  const { caller } = summary;
  return {
    id: arrival.id,
    arrivedAt: arrival.arrivedAt,
    isHead: arrival.isHead,
    origin: arrival.origin,
    signal: arrival.signal,
    memory: arrival.memory,
    lifetime: arrival.lifetime,
    caller: caller?.id ?? "",
    key: caller?.key,
    session: caller?.session,
    meter: summary.meter,
    trace: summary.trace,
    requestBytes: summary.requestBytes,
    summary,
  };
}
