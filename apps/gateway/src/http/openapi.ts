import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import type { Express, Request, RequestHandler, Response } from "express";
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

export type Validate = (request: Request, response: Response, operation: Operation) => Promise<void>;

/**
 * Checks requests against the spec. There are two planes with a validator each: one knows what callers ask for, so that
 * a request does not pay for the paths of the admin API; the other is made when an operator first asks, so that the
 * start does not.
 */
export function createValidator(document: OpenApiDocument): Validate {
  const callers = requestSpec(document, (item) => !isAdminPath(item));
  const validate = validatorOf(callers, { unknownQuery: "ignored" });
  let validateAdmin: Validate | undefined;
  return (request, response, operation) => {
    if (operation.access !== "admin") return validate(request, response, operation);
    validateAdmin ??= validatorOf(requestSpec(document, isAdminPath), { unknownQuery: "refused" });
    return validateAdmin(request, response, operation);
  };
}

function isAdminPath(item: OpenApiDocument["paths"][string]): boolean {
  const operations = methods.flatMap((method) => (item[method] as SpecOperation | undefined) ?? []);
  return operations.some((operation) => accessOf(operation) === "admin");
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
  }) as unknown as RequestHandler[];

  return async (request, response, operation) => {
    // The validator keeps a compiled schema for every content type it has met, parameters included.
    const contentType = mediaType(request);
    if (operation.bodies.size === 0) delete request.headers["content-type"];
    else if (contentType !== "") request.headers["content-type"] = contentType;
    try {
      for (const step of steps) await run(step, request, response);
    } catch (failure) {
      throw translate(failure, {
        schema: operation.bodies.get(contentType),
        body: request.body,
        querySchemas: operation.query,
        query: request.query,
      });
    }
  };
}

/** The content type without its parameters, in lower case. */
export function mediaType(request: Request): string {
  return (request.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/**
 * Sends every operation through the validator once. It compiles a schema when it first needs it: a spec that it can
 * not use must stop the gateway from starting, and no caller shall wait for the compiler.
 */
export async function warmUp(
  validate: Validate,
  operations: readonly Operation[],
  app: Express,
): Promise<void> {
  for (const operation of operations) {
    for (const contentType of operation.bodies.size === 0 ? [""] : operation.bodies.keys()) {
      const url = operation.path.replace(/:\w+/, "warm-up");
      const headers: Record<string, string> = contentType === "" ? {} : { "content-type": contentType };
      const request = {
        app,
        method: operation.method.toUpperCase(),
        url,
        originalUrl: url,
        path: url,
        baseUrl: "",
        headers,
        query: {},
        params: {},
        body: {},
        get: (name: string) => headers[name],
      } as unknown as Request;
      await validate(request, {} as Response, operation).catch((failure: unknown) => {
        if (!(failure instanceof GatewayError)) throw failure;
      });
      // Where there are callers already, they are not kept waiting for all of it.
      await setImmediate();
    }
  }
}

function run(step: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (failure?: unknown) => (failure === undefined ? resolve() : reject(failure));
    void Promise.resolve(step(request, response, done)).catch(reject);
  });
}

function translate(failure: unknown, request: ExplainedRequest): unknown {
  if (failure instanceof validatorErrors.BadRequest)
    return explainFault(failure.errors as ValidatorFault[], request);
  return failure;
}
