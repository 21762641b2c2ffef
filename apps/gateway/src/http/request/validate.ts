import type { IncomingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";
import { error as validatorErrors, middleware as validatorMiddleware } from "express-openapi-validator";
import schemaValidatorModule from "express-openapi-validator/dist/framework/openapi.schema.validator.js";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { GatewayError } from "../../errors.js";
import type { OperationId } from "../../operations.js";
import { type ExplainedRequest, explainFault, type ValidatorFault } from "./explain-fault.js";
import { isAdminPath, mediaType, type OpenApiDocument, type Operation, requestSpec } from "./spec.js";

/** The parts of a request that the spec speaks of. The validator may fill in and convert what is in them. */
export interface Subject {
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly body: unknown;
}

/** Throws or rejects where the request does not fit. Once an operation is known, it is checked without a promise. */
export type Validate = (subject: Subject, operation: Operation) => void | Promise<void>;

/**
 * Checks requests against the spec. There are two planes with a validator each: one knows what callers ask for, so that
 * a request does not pay for the paths of the admin API; the other is made when an operator first asks, so that the
 * start does not.
 */
export function createValidator(document: OpenApiDocument): Validate {
  leaveOutSpecCheck();
  const callers = requestSpec(document, (item) => !isAdminPath(item));
  const validate = validatorOf(callers, { unknownQuery: "ignored" });
  let validateAdmin: Validate | undefined;
  return (subject, operation) => {
    if (operation.access !== "admin") return validate(subject, operation);
    validateAdmin ??= validatorOf(requestSpec(document, isAdminPath), { unknownQuery: "refused" });
    return validateAdmin(subject, operation);
  };
}

/**
 * The validator compiles the schema of OpenAPI itself for every instance, also where it is told not to hold the spec
 * against it, and that takes as long as all the rest. The spec was checked when it was built.
 */
function leaveOutSpecCheck(): void {
  const module = schemaValidatorModule as unknown as {
    OpenAPISchemaValidator: new () => { validate(): { errors: [] } };
  };
  module.OpenAPISchemaValidator = class {
    validate(): { errors: [] } {
      return { errors: [] };
    }
  };
}

/** A validator of express-openapi-validator. */
function validatorOf(
  document: OpenApiDocument,
  { unknownQuery }: { unknownQuery: "ignored" | "refused" },
): Validate {
  const steps = validatorMiddleware({
    // The validator changes the document it is given.
    apiSpec: structuredClone(document) as unknown as OpenAPIV3.DocumentV3_1,
    validateApiSpec: false,
    // Clients of the OpenAI API add parameters of their own; a filter that is misspelt must not be no filter.
    validateRequests: { allowUnknownQueryParameters: unknownQuery === "ignored" },
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
  }) as unknown as Step[];
  const check = withoutPromises(stepNamed(steps, "requestMiddleware"));
  const find = stepNamed(steps, "metadataMiddleware");
  const found = new Map<OperationId, FoundOperation>();

  const validate = (subject: Subject, operation: Operation, place: FoundOperation): void | Promise<void> => {
    const { url, headers, query, params, body } = subject;
    // The validator keeps a compiled schema for every content type it has met, parameters included.
    const contentType = mediaType(headers);
    if (operation.bodies.size === 0) delete headers["content-type"];
    else if (contentType !== "") headers["content-type"] = contentType;
    const isCompiled = place.compiled.has(contentType);
    const request = {
      openapi: {
        expressRoute: place.expressRoute,
        schema: isCompiled ? place.compiledSchema : place.schema,
        pathParams: params,
      },
      method: place.method,
      path: operation.path,
      originalUrl: url,
      headers,
      query,
      params,
      body,
    };
    const told = (failure: unknown): unknown =>
      translate(failure, {
        schema: operation.bodies.get(contentType),
        body,
        querySchemas: operation.query,
        query,
      });
    try {
      const checking = check(request);
      if (!isCompiled && checking === undefined) place.compiled.add(contentType);
      return checking?.catch((failure: unknown) => Promise.reject(told(failure)));
    } catch (failure) {
      throw told(failure);
    }
  };
  return (subject, operation) => {
    const place = found.get(operation.id);
    if (place !== undefined) return validate(subject, operation, place);
    return findOperation(operation, find).then((place) => {
      found.set(operation.id, place);
      return validate(subject, operation, place);
    });
  };
}

type Step = (request: object, response: object, next: (failure?: unknown) => void) => unknown;

function stepNamed(steps: readonly Step[], name: string): Step {
  const step = steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`The validator has no ${name}.`);
  return step;
}

/** What the validator knows of an operation. */
interface FoundOperation {
  readonly method: string;
  readonly expressRoute: string;
  readonly schema: object;
  /**
   * What it is given once there is a check: without parameters, where all of them are headers and parts of the path. They
   * are part of the check; but on every request the validator would look through them for lists and objects to unfold,
   * which only a query has.
   */
  readonly compiledSchema: object;
  /** The content types for which there is a check. */
  readonly compiled: Set<string>;
}

/**
 * It would look for the operation on every request, path by path, and make a regular expression of each on the way;
 * Express has found it already.
 */
async function findOperation({ method, path, query }: Operation, find: Step): Promise<FoundOperation> {
  const url = path.replaceAll(/:\w+/g, "any");
  const request = {
    app: { enabled: () => false },
    method: method.toUpperCase(),
    originalUrl: url,
    path: url,
    baseUrl: "",
    openapi: { expressRoute: "", schema: {} },
  };
  await run(find, request);
  const { expressRoute, schema } = request.openapi;
  return {
    method: request.method,
    expressRoute,
    schema,
    compiledSchema: query.size === 0 ? { ...schema, parameters: [] } : schema,
    compiled: new Set(),
  };
}

/**
 * The step waits for the spec on every request. What it does then needs no promise, and is caught here when the
 * validator makes it for the first request.
 */
function withoutPromises(step: Step): (request: object) => Promise<void> | undefined {
  const { _oav: validator } = validatorMiddleware as unknown as {
    _oav: { requestValidationMiddleware: (document: object) => Step };
  };
  let check: Step | undefined;
  const make = validator.requestValidationMiddleware.bind(validator);
  validator.requestValidationMiddleware = (document) => {
    check = make(document);
    return check;
  };
  return (request) => {
    if (check === undefined) return run(step, request);
    check(request, {}, throwIfAny);
    return undefined;
  };
}

function throwIfAny(failure?: unknown): void {
  if (failure !== undefined) throw failure;
}

/**
 * Sends every operation through the validator once. It compiles a schema when it first needs it: a spec that it can
 * not use must stop the gateway from starting, and no caller shall wait for the compiler.
 */
export async function warmUp(validate: Validate, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) {
    for (const contentType of operation.bodies.size === 0 ? [""] : operation.bodies.keys()) {
      const headers = contentType === "" ? {} : { "content-type": contentType };
      const subject = { url: operation.path, headers, query: {}, params: {}, body: {} };
      try {
        await validate(subject, operation);
      } catch (failure) {
        if (!(failure instanceof GatewayError)) throw failure;
      }
      // Where there are callers already, they are not kept waiting for all of it.
      await setImmediate();
    }
  }
}

function run(step: Step, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    // A step never rejects: what goes wrong in it, it hands on.
    void step(request, {}, (failure) => (failure === undefined ? resolve() : reject(failure)));
  });
}

function translate(failure: unknown, request: ExplainedRequest): unknown {
  if (failure instanceof validatorErrors.BadRequest)
    return explainFault(failure.errors as ValidatorFault[], request);
  return failure;
}
