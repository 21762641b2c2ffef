import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { ResourceLimits } from "../config/config.js";
import type { AccessKey } from "../domain/access-key.js";
import type { Tracer } from "../domain/trace.js";
import { errorOf } from "../errors.js";
import { meteredOperation, type OperationId, traitsOf } from "../operations.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Descriptors } from "./descriptors.js";
import type { Handler, Handlers } from "./handler.js";
import type { Authenticate } from "./request/authenticate.js";
import { startTimeout, timeoutHeader } from "./request/begin-request.js";
import type { Caller } from "./request/caller.js";
import type { ClientAddress } from "./request/client-address.js";
import type { Accounting } from "./request/finish-request.js";
import { isFromThisMachine } from "./request/is-from-this-machine.js";
import { readBody } from "./request/read-body.js";
import type { FileFormReader } from "./request/read-file-form.js";
import type { FormReader } from "./request/read-form.js";
import { type Arrival, arrivalOf, headerOf, summaryOf } from "./request/request-context.js";
import type { CallerPhase, RoutePhase } from "./request/request-summary.js";
import type { SlowBodies } from "./request/slow-body.js";
import { isAdminAccess, type Operation } from "./request/spec.js";
import type { Validator } from "./request/validate.js";
import { addHeader } from "./response/headers.js";
import { writeResponse } from "./response/write-response.js";
import { contextOf, createValidRequests, requestedModel } from "./valid-request.js";

export interface ServeOptions {
  /** By the access that an operation requires. */
  readonly authenticate: Readonly<Record<Exclude<Operation["access"], "public">, Authenticate>>;
  readonly clientAddress: ClientAddress;
  readonly validator: Validator;
  readonly forms: FormReader;
  readonly fileForms: FileFormReader;
  readonly slowBodies: SlowBodies;
  readonly descriptors: Descriptors;
  readonly handlers: Handlers;
  readonly limits: ResourceLimits;
  readonly accounting: Accounting & { readonly tracer: Tracer };
  readonly openMeter: (key: AccessKey) => UsageMeter;
  readonly log: Logger;
  readonly secrets: HideSecrets;
}

/** Their responses have the one secret that they create. */
const secretOperations: ReadonlySet<string> = new Set<OperationId>([
  "createKey",
  "rotateKey",
  "createSession",
  "createSignInCode",
]);

/** Their requests must come from the gateway's own machine. */
const localOperations: ReadonlySet<string> = new Set<OperationId>(["createSignInCode"]);

/** The path of every request: route, authenticate, read the body, validate it against the spec, handle it, respond. */
export function serveOperation(operation: Operation, options: ServeOptions): RequestHandler {
  const { access, id } = operation;
  const { validator, handlers, forms, fileForms, slowBodies, limits, log, secrets, clientAddress } = options;
  const route = createRoute(operation, options);
  const identify =
    access === "public"
      ? undefined
      : createIdentification({ access, isLocal: localOperations.has(id) }, options);
  const reserve = createReservation(operation, options);
  const toValid = createValidRequests(operation);
  const isAdmin = isAdminAccess(access);
  const hidesSecrets = isAdmin && !secretOperations.has(id);
  const handler = handlers[id] as Handler<typeof id>;
  const serve = async (request: Request, response: Response): Promise<void> => {
    const arrival = arrivalOf(response);
    const summary = summaryOf(response);
    route(request, arrival, summary);
    try {
      if (identify !== undefined) summary.caller = await identify(request, response, summary);
    } catch (refusal) {
      summary.address ??= clientAddress(request);
      throw refusal;
    }
    arrival.onActive();
    // A caller may have left while its key was looked up.
    arrival.signal.throwIfAborted();
    const key = summary.caller?.key;
    if (key !== undefined) summary.meter = options.openMeter(key);
    reserve(request, arrival);
    const reading = { operation, forms, fileForms, slowBodies, limits, phase: summary };
    const { body, images, file, dataUrls } = await readBody(request, response, reading);
    const subject = subjectOf(request, body);
    summary.requestedModel = requestedModel(subject);
    arrival.onActive();
    await validator.validate(subject, operation);
    const { params, query } = subject;
    // All fields by name: V8 adds fields to an object that is spread one by one, which takes 5 µs.
    const checked = { body, params, query, images, file, dataUrls };
    const valid = toValid(request, checked, contextOf(arrival, summary));
    const compresses = isAdmin && request.acceptsEncodings("gzip") === "gzip";
    const reply = await handler(valid);
    arrival.onActive();
    await writeResponse(response, reply, { log, secrets, compresses, hidesSecrets });
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

type Identify = (request: Request, response: Response, phase: CallerPhase) => Promise<Caller>;

interface RequiredAccess {
  readonly access: keyof ServeOptions["authenticate"];
  readonly isLocal: boolean;
}

function createIdentification(
  { access, isLocal }: RequiredAccess,
  { authenticate, clientAddress }: ServeOptions,
): Identify {
  const authenticateAccess = authenticate[access];
  if (!isAdminAccess(access)) return authenticateAccess;
  return async (request, response, phase) => {
    phase.address = clientAddress(request);
    // Admin responses and errors are for the operator alone.
    addHeader(response, "cache-control", "no-store");
    const caller = await authenticateAccess(request);
    if (isLocal && !isFromThisMachine(request)) throw errorOf("sign_in_code_not_local", {});
    return caller;
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

/** The parts that the validator checks. It cuts the parameters off the content type. */
function subjectOf(request: Request, body: unknown) {
  return {
    url: request.url,
    headers: request.headers,
    query: request.url.includes("?") ? request.query : {},
    params: request.params,
    body,
  };
}
