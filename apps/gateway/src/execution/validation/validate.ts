import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "@model-gateway/domain/errors";
import { BadRequest, OpenApiCheck } from "@model-gateway/runtime/openapi-validator";
import { explainFault, type ValidatorFault } from "./explain-fault.js";
import { describeFault, describeHeaderFault } from "./fault-message.js";
import { isNumberText } from "./number-text.js";
import {
  isAdminAccess,
  isAdminPath,
  mediaType,
  type Operation,
  operationsOf,
  type RequestSpec,
  readSpec,
} from "./spec.js";

/** The parts of a request that the spec describes. The validator may fill in defaults and convert values in place. */
export interface Subject {
  /** Includes the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly body: unknown;
}

/** The operations of the spec, and the validator of their requests. */
export interface RequestRules {
  readonly operations: readonly Operation[];
  readonly validator: Validator;
}

export function openRequestRules(): RequestRules {
  const spec = readSpec();
  return { operations: operationsOf(spec), validator: new Validator(spec) };
}

/**
 * Validates requests against the spec. Callers and operators have a validator each: a caller's request does not pay for
 * the paths of the admin API. Both compile the schemas of an operation when it is first called (decision 0116).
 */
export class Validator {
  readonly #spec: RequestSpec;
  #callers: OpenApiCheck | undefined;
  #admin: OpenApiCheck | undefined;

  constructor(spec: RequestSpec) {
    this.#spec = spec;
  }

  /** Rejects with a GatewayError that names the field at fault. */
  async validate(subject: Subject, operation: Operation): Promise<void> {
    const { url, headers, query, params, body } = subject;
    // The validator compiles a schema for every content type it sees, so parameters such as a charset are cut off.
    const contentType = mediaType(headers);
    if (operation.bodies.size === 0) delete headers["content-type"];
    else if (contentType !== "") headers["content-type"] = contentType;
    if (operation.query.size > 0) refuseUnreadable(query, operation);
    if (versionParameter in query && !operation.query.has(versionParameter)) delete query[versionParameter];
    for (const [param, schema] of operation.numericHeaders) {
      const value = headers[param];
      if (typeof value === "string" && !isNumberText(value, schema))
        throw describeHeaderFault({ param, schema, value });
    }
    const method = operation.method.toUpperCase();
    const { path } = operation;
    try {
      await this.#checkOf(operation).check({ method, path, url, headers, query, params, body });
    } catch (failure) {
      if (!(failure instanceof BadRequest)) throw failure;
      throw explainFault(failure.errors as ValidatorFault[], {
        operation,
        schema: operation.bodies.get(contentType),
        body,
        query,
        headers,
        params,
      });
    }
  }

  /** Compiles the schemas of an operation, so that its first caller does not wait for them. */
  async warmUp(operation: Operation): Promise<void> {
    for (const contentType of operation.bodies.size === 0 ? [""] : operation.bodies.keys()) {
      const headers = contentType === "" ? {} : { "content-type": contentType };
      try {
        await this.validate({ url: operation.path, headers, query: {}, params: {}, body: {} }, operation);
      } catch (failure) {
        if (!(failure instanceof GatewayError)) throw failure;
      }
    }
  }

  #checkOf({ access }: Operation): OpenApiCheck {
    if (isAdminAccess(access)) {
      // A misspelt filter must not act as no filter.
      this.#admin ??= new OpenApiCheck(this.#part(isAdminPath));
      return this.#admin;
    }
    this.#callers ??= new OpenApiCheck(this.#part((item) => !isAdminPath(item)));
    return this.#callers;
  }

  #part(isWanted: (item: RequestSpec["paths"][string]) => boolean): RequestSpec {
    const { paths } = this.#spec;
    const wanted = Object.entries(paths).filter(([, item]) => isWanted(item));
    return { ...this.#spec, paths: Object.fromEntries(wanted) };
  }
}

/** Some clients send it with every request, whatever their base URL is. It has no effect. */
const versionParameter = "api-version";

/**
 * Refuses queries that the validator would fail on or misread: parameters with parts, such as `group_by[a]=key`, which the
 * spec does not have, lists without a value, such as `?group_by`, and texts that JavaScript takes for numbers.
 */
function refuseUnreadable(query: Subject["query"], operation: Operation): void {
  for (const name in query) {
    const bracket = name.indexOf("[");
    const param = bracket === -1 ? name : name.slice(0, bracket);
    const schema = operation.query.get(param);
    if (schema === undefined) continue;
    if (bracket !== -1)
      throw new GatewayError("invalid_type", `Invalid '${param}': send it without brackets.`, { param });
    const value = query[name];
    if (schema.type === "array" && (Array.isArray(value) ? value.includes("") : value === ""))
      throw describeFault({ keyword: "minLength", param, schema, value });
    if (typeof value === "string" && !isNumberText(value, schema))
      throw describeFault({ keyword: "type", param, schema, value });
  }
}
