import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Limits } from "../config/config.js";
import type { AccessKey } from "../domain/access-key.js";
import type { Tracer } from "../domain/trace.js";
import { meteredOperation, type OperationId, traitsOf } from "../operations.js";
import type { HideSecrets } from "../secrets/secret-filter.js";
import type { UsageMeter } from "../usage/usage-meter.js";
import type { Descriptors } from "./descriptors.js";
import type { Handler, Handlers, ValidRequest } from "./handler.js";
import { type Accounting, timeoutHeader } from "./request/begin-request.js";
import { knownParameters, separateExtras } from "./request/extras.js";
import { readBody } from "./request/read-body.js";
import type { FormReader } from "./request/read-form.js";
import { contextOf, headerOf } from "./request/request-context.js";
import { isAdminAccess, type Operation } from "./request/spec.js";
import type { Validator } from "./request/validate.js";
import { writeResponse } from "./response/write-response.js";

export interface ServeOptions {
  /** For each access, the middleware that rejects callers without it. */
  readonly authenticate: Readonly<Record<Exclude<Operation["access"], "public">, RequestHandler>>;
  readonly validator: Validator;
  readonly forms: FormReader;
  readonly descriptors: Descriptors;
  readonly handlers: Handlers;
  readonly limits: Limits;
  readonly accounting: Accounting & { readonly tracer: Tracer };
  readonly openMeter: (key: AccessKey) => UsageMeter;
  readonly log: Logger;
  readonly secrets: HideSecrets;
}

/** Their responses have the one secret that they create. */
const secretOperations: ReadonlySet<string> = new Set<OperationId>(["createKey", "createSession"]);

function isForm({ headers }: Request): boolean {
  return headers["content-type"]?.startsWith("multipart/") === true;
}

/** The path of every request: authenticate, read the body, validate it against the spec, handle it, respond. */
export function serveOperation(operation: Operation, options: ServeOptions): RequestHandler[] {
  const metered = meteredOperation(operation.id);
  // Elsewhere the header has no effect, as the spec says.
  const takesTimeout = operation.headers.has(timeoutHeader);
  const begin: RequestHandler = (request, response, next) => {
    const context = contextOf(response);
    context.operation = metered;
    if (takesTimeout && context.startTimeout !== undefined) context.startTimeout();
    options.accounting.metrics.begin(metered);
    context.trace = options.accounting.tracer.begin({
      operation: metered,
      method: request.method,
      route: operation.path,
      path: request.path,
      traceparent: headerOf(request, "traceparent"),
      tracestate: headerOf(request, "tracestate"),
    });
    next();
  };
  const mayCallUpstream = traitsOf(metered) !== undefined;
  const isAdmin = isAdminAccess(operation.access);
  const hidesSecrets = isAdmin && !secretOperations.has(operation.id);
  const known = knownParameters(operation);
  const reading = { operation, forms: options.forms, limits: options.limits };
  const serve = async (request: Request, response: Response): Promise<void> => {
    const context = contextOf(response);
    // A caller may have left while its key was looked up. Its request is settled then.
    context.signal.throwIfAborted();
    if (context.key !== undefined) context.meter = options.openMeter(context.key);
    // A form reserves more, in one step, when it is read.
    if (mayCallUpstream && !isForm(request)) {
      options.descriptors.beginRequest();
      context.holdsDescriptor = true;
    }
    const { body, images } = await readBody(request, response, reading);
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
    const handler = options.handlers[operation.id] as Handler<typeof operation.id>;
    // The spec that the request was validated against is the source of these types.
    const valid = {
      body: separated?.named ?? body,
      extras: separated?.extras,
      parameters: subject.params,
      context,
      header: (name) => headerOf(request, name),
      query: subject.query,
      accepts: (...types) => request.accepts(types) || undefined,
      images,
    } as ValidRequest<typeof operation.id>;
    const compresses = isAdmin && request.acceptsEncodings("gzip") === "gzip";
    await writeResponse(response, await handler(valid), { ...options, compresses, hidesSecrets });
  };
  const serveAndTrack: RequestHandler = (request, response) => {
    const serving = serve(request, response);
    contextOf(response).serving = serving;
    return serving;
  };
  if (operation.access === "public") return [begin, serveAndTrack];
  return [begin, options.authenticate[operation.access], serveAndTrack];
}
