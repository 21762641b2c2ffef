import { createRequire } from "node:module";
import type { Express, Request, RequestHandler, Response } from "express";
import { error as validatorErrors, middleware as validatorMiddleware } from "express-openapi-validator";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { GatewayError } from "../errors.js";
import type { OperationId } from "../operations.js";
import { explainFault, type ValidatorFault } from "./explain-fault.js";
import { type JsonSchema, type OpenApiDocument, resolveSchema } from "./json-schema.js";

/** An operation of the spec, as the gateway serves it. */
export interface Operation {
  readonly id: OperationId;
  readonly method: "get" | "post";
  /** As Express writes it: `/v1/models/:model`. */
  readonly path: string;
  readonly isPublic: boolean;
  /** The schema of the body for each content type that it takes. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
}

interface SpecOperation {
  readonly operationId: OperationId;
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

export function readSpec(): OpenApiDocument {
  return createRequire(import.meta.url)("@model-gateway/spec/openapi.json");
}

/** Lists the operations of the spec. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    (["get", "post"] as const).flatMap((method) => {
      const operation = item[method] as SpecOperation | undefined;
      if (operation === undefined) return [];
      const content = Object.entries(operation.requestBody?.content ?? {});
      return [
        {
          id: operation.operationId,
          method,
          path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
          isPublic: operation.security?.length === 0,
          bodies: new Map(content.map(([type, { schema }]) => [type, resolveSchema(schema, document)])),
        },
      ];
    }),
  );
}

export type Validate = (request: Request, response: Response, operation: Operation) => Promise<void>;

/** Checks requests against the spec with express-openapi-validator. */
export function createValidator(document: OpenApiDocument): Validate {
  const steps = validatorMiddleware({
    // The validator changes the document it is given.
    apiSpec: structuredClone(document) as unknown as OpenAPIV3.DocumentV3_1,
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: true },
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
      throw translate(failure, { schema: operation.bodies.get(contentType), body: request.body });
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
      const url = operation.path.replace(":model", "warm-up");
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
    }
  }
}

function run(step: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (failure?: unknown) => (failure === undefined ? resolve() : reject(failure));
    void Promise.resolve(step(request, response, done)).catch(reject);
  });
}

function translate(failure: unknown, request: { schema: JsonSchema | undefined; body: unknown }): unknown {
  if (failure instanceof validatorErrors.BadRequest)
    return explainFault(failure.errors as ValidatorFault[], request);
  return failure;
}
