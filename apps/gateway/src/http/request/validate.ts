import type { IncomingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";
import { GatewayError } from "../../errors.js";
import { BadRequest, OpenApiCheck } from "../../runtime/openapi-validator.js";
import { explainFault, type ValidatorFault } from "./explain-fault.js";
import { describeFault } from "./fault-message.js";
import {
  isAdminAccess,
  isAdminPath,
  mediaType,
  type OpenApiDocument,
  type Operation,
  requestSpec,
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

/**
 * Validates requests against the spec. Callers and operators have a validator each: a caller's request does not pay for
 * the paths of the admin API, and the admin validator is built when it is first needed.
 */
export class Validator {
  readonly #document: OpenApiDocument;
  readonly #callers: OpenApiCheck;
  #admin: OpenApiCheck | undefined;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#callers = new OpenApiCheck({
      document: requestSpec(document, (item) => !isAdminPath(item)),
      // OpenAI clients add their own query parameters.
      unknownQuery: "ignored",
    });
  }

  /** Rejects with a GatewayError that names the field at fault. */
  async validate(subject: Subject, operation: Operation): Promise<void> {
    const { url, headers, query, params, body } = subject;
    // The validator compiles a schema for every content type it sees, so parameters such as a charset are cut off.
    const contentType = mediaType(headers);
    if (operation.bodies.size === 0) delete headers["content-type"];
    else if (contentType !== "") headers["content-type"] = contentType;
    if (operation.query.size > 0) refuseUnreadable(query, operation);
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

  /**
   * Validates a request of every operation once. Schemas are compiled on first use: a spec that cannot be compiled must
   * stop the gateway from starting, and no caller should wait for the compiler.
   */
  async warmUp(operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) {
      for (const contentType of operation.bodies.size === 0 ? [""] : operation.bodies.keys()) {
        const headers = contentType === "" ? {} : { "content-type": contentType };
        const subject = { url: operation.path, headers, query: {}, params: {}, body: {} };
        try {
          await this.validate(subject, operation);
        } catch (failure) {
          if (!(failure instanceof GatewayError)) throw failure;
        }
        // Lets requests that have arrived in the meantime be served.
        await setImmediate();
      }
    }
  }

  #checkOf({ access }: Operation): OpenApiCheck {
    if (!isAdminAccess(access)) return this.#callers;
    this.#admin ??= new OpenApiCheck({
      document: requestSpec(this.#document, isAdminPath),
      // A misspelt filter must not act as no filter.
      unknownQuery: "refused",
    });
    return this.#admin;
  }
}

/**
 * Refuses queries that the validator would fail on: parameters with parts, such as `group_by[a]=key`, which the spec
 * does not have, and lists without a value, such as `?group_by`.
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
  }
}
