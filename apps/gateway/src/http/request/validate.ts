import type { IncomingHttpHeaders } from "node:http";
import { setImmediate } from "node:timers/promises";
import { error as validatorErrors } from "express-openapi-validator";
import { GatewayError } from "../../errors.js";
import { OpenApiCheck } from "../../runtime/openapi-validator.js";
import { explainFault, type ValidatorFault } from "./explain-fault.js";
import { isAdminPath, mediaType, type OpenApiDocument, type Operation, requestSpec } from "./spec.js";

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
      // Clients of the OpenAI API add query parameters of their own.
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
    const method = operation.method.toUpperCase();
    const { path } = operation;
    try {
      await this.#checkOf(operation).check({ method, path, url, headers, contentType, query, params, body });
    } catch (failure) {
      if (!(failure instanceof validatorErrors.BadRequest)) throw failure;
      throw explainFault(failure.errors as ValidatorFault[], {
        schema: operation.bodies.get(contentType),
        body,
        querySchemas: operation.query,
        query,
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
    if (access !== "admin") return this.#callers;
    this.#admin ??= new OpenApiCheck({
      document: requestSpec(this.#document, isAdminPath),
      // A misspelt filter must not act as no filter.
      unknownQuery: "refused",
    });
    return this.#admin;
  }
}
