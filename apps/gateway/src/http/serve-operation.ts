import type { ResourceLimits } from "@model-gateway/config/config";
import { errorOf } from "@model-gateway/domain/errors";
import type { HideSecrets } from "@model-gateway/domain/hide-secrets";
import type { OperationId } from "@model-gateway/domain/operations";
import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Caller } from "../execution/caller.js";
import { Executor, type ExecutorOptions } from "../execution/executor.js";
import { checkRole } from "../execution/operator-rights.js";
import type { CallerPhase } from "../execution/request-summary.js";
import { isAdminAccess, type Operation } from "../execution/validation/spec.js";
import { arrivalOf, summaryOf } from "./request/arrival.js";
import type { Authenticate } from "./request/authenticate.js";
import type { ClientAddress } from "./request/client-address.js";
import { isFromThisMachine } from "./request/is-from-this-machine.js";
import { readBody } from "./request/read-body.js";
import type { FileFormReader } from "./request/read-file-form.js";
import type { FormReader } from "./request/read-form.js";
import type { SlowBodies } from "./request/slow-body.js";
import { addHeader } from "./response/headers.js";
import { writeResponse } from "./response/write-response.js";

export interface ServeOptions extends ExecutorOptions {
  /** By the access that an operation requires. */
  readonly authenticate: Readonly<Record<Exclude<Operation["access"], "public">, Authenticate>>;
  readonly clientAddress: ClientAddress;
  readonly forms: FormReader;
  readonly fileForms: FileFormReader;
  readonly slowBodies: SlowBodies;
  readonly limits: ResourceLimits;
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

/** The path of every request: begin, authenticate, read the body, validate it against the spec, handle it, respond. */
export function serveOperation(operation: Operation, options: ServeOptions): RequestHandler {
  const { forms, fileForms, slowBodies, limits, log, secrets, clientAddress } = options;
  const executor = new Executor(operation, options);
  const identify = createIdentification(operation, options);
  const isAdmin = isAdminAccess(operation.access);
  const hidesSecrets = isAdmin && !secretOperations.has(operation.id);
  const serve = async (request: Request, response: Response): Promise<void> => {
    const arrival = arrivalOf(response);
    const summary = summaryOf(response);
    executor.begin(request, arrival, summary);
    let caller: Caller | undefined;
    try {
      caller = await identify?.(request, response, summary);
      if (caller?.operator !== undefined) checkRole(caller.operator, operation);
    } catch (refusal) {
      summary.address ??= clientAddress(request);
      throw refusal;
    }
    executor.authorize(caller, arrival, summary);
    // A form reserves more, in one step, when it is read.
    if (request.headers["content-type"]?.startsWith("multipart/") !== true) executor.reserve(arrival);
    const reading = { operation, forms, fileForms, slowBodies, limits, phase: summary };
    const { body, images, file, dataUrls } = await readBody(request, response, reading);
    const subject = subjectOf(request, body);
    const read = { source: request, subject, images, file, dataUrls };
    const reply = await executor.run(read, arrival, { summary });
    const compresses = isAdmin && request.acceptsEncodings("gzip") === "gzip";
    await writeResponse(response, reply, { log, secrets, compresses, hidesSecrets });
  };
  return (request, response) => arrivalOf(response).lifetime.serve(serve(request, response));
}

type Identify = (request: Request, response: Response, phase: CallerPhase) => Promise<Caller>;

/** Undefined where an operation needs no key. */
function createIdentification(
  { access, id }: Operation,
  { authenticate, clientAddress }: ServeOptions,
): Identify | undefined {
  if (access === "public") return undefined;
  const authenticateAccess = authenticate[access];
  if (!isAdminAccess(access)) return authenticateAccess;
  const isLocal = localOperations.has(id);
  return async (request, response, phase) => {
    phase.address = clientAddress(request);
    // Admin responses and errors are for the operator alone.
    addHeader(response, "cache-control", "no-store");
    const caller = await authenticateAccess(request);
    if (isLocal && !isFromThisMachine(request)) throw errorOf("sign_in_code_not_local", {});
    return caller;
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
