import type { IncomingHttpHeaders } from "node:http";
import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { error as validatorErrors, middleware as validatorMiddleware } from "express-openapi-validator";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { GatewayError } from "../errors.js";
import type { OperationId } from "../operations.js";
import { type ExplainedRequest, explainFault, type ValidatorFault } from "./explain-fault.js";
import {
  type JsonSchema,
  type OpenApiDocument,
  resolveParameter,
  resolveSchema,
  type SpecParameter,
} from "./json-schema.js";
import { requestSpec } from "./request-spec.js";

/** An operation of the spec, as the gateway serves it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: (typeof methods)[number];
  /** As Express writes it: `/v1/models/:model`. */
  readonly path: string;
  /** Who may ask: anybody, whoever has a key, or the operator. */
  readonly access: "public" | "key" | "admin";
  /** The schema of the body for each content type that it takes. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  /** The schema of each parameter in its query. */
  readonly query: ReadonlyMap<string, JsonSchema>;
}

const methods = ["get", "post", "patch", "delete"] as const;

interface SpecOperation {
  readonly operationId: OperationId;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly SpecParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

export function readSpec(): OpenApiDocument {
  return createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
}

/** Lists the operations of the spec. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method] as SpecOperation | undefined;
      if (operation === undefined) return [];
      const content = Object.entries(operation.requestBody?.content ?? {});
      const parameters = (operation.parameters ?? []).map((one) => resolveParameter(one, document));
      const query = parameters.filter((one) => one.in === "query");
      return [
        {
          id: operation.operationId,
          method,
          path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
          access: accessOf(operation),
          bodies: new Map(content.map(([type, { schema }]) => [type, resolveSchema(schema, document)])),
          query: new Map(query.map(({ name, schema }) => [name, resolveSchema(schema, document)])),
        },
      ];
    }),
  );
}

function accessOf({ security }: SpecOperation): Operation["access"] {
  if (security?.length === 0) return "public";
  return security?.some((scheme) => "adminKey" in scheme) ? "admin" : "key";
}

/** The parts of a request that the spec speaks of. The validator may fill in and convert what is in them. */
export interface Subject {
  /** With its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly body: unknown;
}

export type Validate = (subject: Subject, operation: Operation) => Promise<void>;

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

function isAdminPath(item: OpenApiDocument["paths"][string]): boolean {
  const operations = methods.flatMap((method) => (item[method] as SpecOperation | undefined) ?? []);
  return operations.some((operation) => accessOf(operation) === "admin");
}

/**
 * The validator compiles the schema of OpenAPI itself for every instance, also where it is told not to hold the spec
 * against it, and that takes as long as all the rest. The spec was checked when it was built.
 */
function leaveOutSpecCheck(): void {
  const module = createRequire(import.meta.url)(
    "express-openapi-validator/dist/framework/openapi.schema.validator.js",
  ) as { OpenAPISchemaValidator: new () => { validate(): { errors: [] } } };
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
  const [find, check] = [stepNamed(steps, "metadataMiddleware"), stepNamed(steps, "requestMiddleware")];
  const found = new Map<OperationId, Promise<object>>();

  return async (subject, operation) => {
    const { headers, body, query } = subject;
    // The validator keeps a compiled schema for every content type it has met, parameters included.
    const contentType = mediaType(headers);
    if (operation.bodies.size === 0) delete headers["content-type"];
    else if (contentType !== "") headers["content-type"] = contentType;
    const place = found.get(operation.id) ?? findOperation(operation, find);
    found.set(operation.id, place);
    const openapi = { ...(await place), pathParams: subject.params };
    try {
      await run(check, {
        openapi,
        method: operation.method.toUpperCase(),
        path: operation.path,
        originalUrl: subject.url,
        headers,
        query,
        params: subject.params,
        body,
      });
    } catch (failure) {
      throw translate(failure, {
        schema: operation.bodies.get(contentType),
        body,
        querySchemas: operation.query,
        query,
      });
    }
  };
}

type Step = (request: object, response: object, next: (failure?: unknown) => void) => Promise<void>;

function stepNamed(steps: readonly Step[], name: string): Step {
  const step = steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`The validator has no ${name}.`);
  return step;
}

/**
 * What the validator knows of an operation. It would look for it on every request, path by path, and make a regular
 * expression of each on the way; Express has found it already.
 */
async function findOperation({ method, path }: Operation, find: Step): Promise<object> {
  const url = path.replaceAll(/:\w+/g, "any");
  const request = {
    app: { enabled: () => false },
    method: method.toUpperCase(),
    originalUrl: url,
    path: url,
    baseUrl: "",
    openapi: {},
  };
  await run(find, request);
  return request.openapi;
}

/** The content type without its parameters, in lower case. */
export function mediaType(headers: IncomingHttpHeaders): string {
  const given = headers["content-type"];
  if (given === undefined || given === "application/json") return given ?? "";
  return given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
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
      await validate(subject, operation).catch((failure: unknown) => {
        if (!(failure instanceof GatewayError)) throw failure;
      });
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
