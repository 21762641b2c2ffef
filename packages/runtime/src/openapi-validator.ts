import { BadRequest, OpenApiValidator } from "express-openapi-validator/dist/openapi.validator.js";

/** The parts of a request that are checked. The validator may fill in defaults and convert values in place. */
interface CheckedRequest {
  readonly method: string;
  /** The spec's path, as Express writes it. */
  readonly path: string;
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly body: unknown;
}

/** The document, without references. */
interface CheckedDocument {
  readonly paths: Readonly<Record<string, object>>;
}

type Step = (request: object, response: object, next: (failure?: unknown) => void) => unknown;
type LoadedSpec = Awaited<Parameters<OpenApiValidator["installMiddleware"]>[0]>;

/**
 * express-openapi-validator without its loader and its search for the operation: the spec is complete and was validated
 * when it was built, and Express has found the operation. Decision 0116 says why.
 */
export class OpenApiCheck {
  readonly #checkRequest: Step;
  /** By method and path. */
  readonly #operations: ReadonlyMap<string, unknown>;

  constructor(document: CheckedDocument) {
    // The validator changes the document that it is given.
    const copy: { paths: CheckedDocument["paths"] } = structuredClone(document);
    allowReservedCharacters(copy);
    const apiDoc = copy as unknown as LoadedSpec["apiDoc"];
    const validator = new OpenApiValidator({
      apiSpec: apiDoc,
      validateRequests: { allowUnknownQueryParameters: false },
      validateResponses: false,
      validateSecurity: false,
      fileUploader: false,
    });
    withoutOptimizer(validator.ajvOpts);
    const spec = Promise.resolve({ apiDoc, basePaths: [""], routes: [], serial: 0 });
    // Of the steps before, one is for security, and the others find the operation.
    const step = validator.installMiddleware(spec).at(-1);
    if (step?.name !== "requestMiddleware")
      throw new Error("The last step of express-openapi-validator does not check requests any more.");
    this.#checkRequest = step as unknown as Step;
    this.#operations = new Map(
      Object.entries(copy.paths).flatMap(([path, item]) => {
        const expressPath = path.replaceAll(/\{(\w+)\}/g, ":$1");
        return Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${expressPath}`, one]);
      }),
    );
    // It has prepared the schemas by then. It would walk all paths again for each schema that it compiles, to find
    // references, of which there are none.
    void spec.then(() => {
      copy.paths = {};
    });
  }

  /** Rejects with a `BadRequest` where the request does not fit. */
  async check({ method, path, url, headers, query, params, body }: CheckedRequest): Promise<void> {
    const schema = this.#operations.get(`${method} ${path}`);
    const openapi = { expressRoute: path, schema, pathParams: params };
    // All fields by name: with an object that is spread, the check takes 9 µs more.
    const request = { openapi, method, path, originalUrl: url, headers, query, params, body };
    await new Promise<void>((resolve, reject) => {
      // A step never rejects: it passes every failure to `next`.
      void this.#checkRequest(request, {}, (failure) =>
        failure === undefined ? resolve() : reject(failure),
      );
    });
  }
}

/** Otherwise it refuses a value with a `+` for a space, or with a `/`, although the query was parsed without a doubt. */
function allowReservedCharacters({ paths }: CheckedDocument): void {
  for (const item of Object.values(paths))
    for (const part of [item, ...Object.values(item)] as { parameters?: { in: string }[] }[])
      for (const parameter of part.parameters ?? [])
        if (parameter.in === "query") Object.assign(parameter, { allowReserved: true });
}

/**
 * ajv simplifies the code that it generates, which takes almost half of a compilation. V8 does the same to code that
 * runs often.
 */
function withoutOptimizer(options: OpenApiValidator["ajvOpts"]): void {
  const { request } = options;
  Object.defineProperty(options, "request", { value: { ...request, code: { optimize: false } } });
}

export { BadRequest };
