import { middleware as validatorMiddleware } from "express-openapi-validator";
import schemaValidatorModule from "express-openapi-validator/dist/framework/openapi.schema.validator.js";
import type { OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";

/** The parts of a request that are checked. The validator may fill in defaults and convert values in place. */
export interface CheckedRequest {
  readonly method: string;
  /** The path of the spec, as Express writes it. */
  readonly path: string;
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly contentType: string;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly body: unknown;
}

export interface OpenApiCheckOptions {
  readonly document: object;
  readonly unknownQuery: "ignored" | "refused";
}

type Step = (request: object, response: object, next: (failure?: unknown) => void) => unknown;

/** What the validator found in the spec for an operation. */
interface KnownOperation {
  readonly expressRoute: string;
  readonly schema: object;
  readonly schemaAfterCompiling: object;
  /** The content types whose schema is compiled. */
  readonly compiled: Set<string>;
}

/**
 * express-openapi-validator, called without Express. As a middleware it searches all paths of the spec on every request,
 * although Express has found the operation already. Here its two steps are called directly: the first, which finds the
 * operation, once for each operation; the second, which checks the request, every time.
 */
export class OpenApiCheck {
  readonly #findOperation: Step;
  readonly #checkRequest: Step;
  readonly #known = new Map<string, KnownOperation>();

  constructor({ document, unknownQuery }: OpenApiCheckOptions) {
    skipSpecValidation();
    const steps = validatorMiddleware({
      // The validator changes the document that it is given.
      apiSpec: structuredClone(document) as unknown as OpenAPIV3.DocumentV3_1,
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: unknownQuery === "ignored" },
      validateResponses: false,
      validateSecurity: false,
      fileUploader: false,
    }) as unknown as Step[];
    this.#findOperation = stepNamed(steps, "metadataMiddleware");
    this.#checkRequest = stepNamed(steps, "requestMiddleware");
  }

  /** Rejects with the validator's own error where the request does not fit. */
  async check(request: CheckedRequest): Promise<void> {
    const { method, path, url, headers, contentType, query, params, body } = request;
    const operation = this.#known.get(`${method} ${path}`) ?? (await this.#find(request));
    const isCompiled = operation.compiled.has(contentType);
    const openapi = {
      expressRoute: operation.expressRoute,
      schema: isCompiled ? operation.schemaAfterCompiling : operation.schema,
      pathParams: params,
    };
    try {
      await run(this.#checkRequest, {
        openapi,
        method,
        path,
        originalUrl: url,
        headers,
        query,
        params,
        body,
      });
    } finally {
      if (!isCompiled) operation.compiled.add(contentType);
    }
  }

  async #find({ method, path }: CheckedRequest): Promise<KnownOperation> {
    const url = path.replaceAll(/:\w+/g, "any");
    const request = {
      app: { enabled: () => false },
      method,
      originalUrl: url,
      path: url,
      baseUrl: "",
      openapi: { expressRoute: "", schema: {} },
    };
    await run(this.#findOperation, request);
    const { expressRoute, schema } = request.openapi;
    const operation = {
      expressRoute,
      schema,
      schemaAfterCompiling: hasQuery(schema) ? schema : { ...schema, parameters: [] },
      compiled: new Set<string>(),
    };
    this.#known.set(`${method} ${path}`, operation);
    return operation;
  }
}

/**
 * Parameters are part of the compiled check. The validator still searches them on every request for query parameters to
 * parse. An operation without a query gets an empty list instead: its check is 8 µs faster.
 */
function hasQuery(schema: { readonly parameters?: readonly { readonly in: string }[] }): boolean {
  return schema.parameters?.some((one) => one.in === "query") === true;
}

/**
 * The validator compiles the schema of OpenAPI itself for each instance, even with `validateApiSpec: false`: 170 ms of
 * startup. The spec was validated when it was built.
 */
function skipSpecValidation(): void {
  const module = schemaValidatorModule as unknown as {
    OpenAPISchemaValidator: new () => { validate(): { errors: [] } };
  };
  module.OpenAPISchemaValidator = class {
    validate(): { errors: [] } {
      return { errors: [] };
    }
  };
}

function stepNamed(steps: readonly Step[], name: string): Step {
  const step = steps.find((one) => one.name === name);
  if (step === undefined) throw new Error(`express-openapi-validator has no step ${name}.`);
  return step;
}

function run(step: Step, request: object): Promise<void> {
  return new Promise((resolve, reject) => {
    // A step never rejects: it passes every failure to `next`.
    void step(request, {}, (failure) => (failure === undefined ? resolve() : reject(failure)));
  });
}
