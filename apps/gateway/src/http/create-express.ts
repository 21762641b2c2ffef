import type { Express } from "express";
import { GatewayError } from "../errors.js";
import { answerError } from "./answer-error.js";
import { allowOrigins } from "./cors.js";
import { normaliseRequest } from "./normalise-request.js";
import type { Operation } from "./openapi.js";
import { type BeginNeeds, beginRequest } from "./request-context.js";
import { serveDocs } from "./serve-docs.js";
import { type ServeNeeds, serveOperation } from "./serve-operation.js";

export interface ExpressNeeds extends ServeNeeds, Omit<BeginNeeds, "accounts"> {
  /** See `prototypes.ts`. */
  readonly createApp: () => Express;
}

/** The way of a request through Express, from top to bottom. */
export function createExpress(operations: readonly Operation[], needs: ExpressNeeds): Express {
  const app = needs.createApp();

  app.use((request, response, next) => {
    beginRequest(request, response, needs);
    if (allowOrigins(request, response)) return;
    normaliseRequest(request);
    next();
  });
  for (const [path, ofPath] of byPath(operations)) {
    for (const operation of ofPath) app[operation.method](path, ...serveOperation(operation, needs));
    app.all(path, (request) => {
      throw wrongMethod(request.method, ofPath);
    });
  }
  app.use("/docs", serveDocs());
  app.use((request) => {
    throw new GatewayError("unknown_url", `Invalid URL (${request.method} ${request.path.slice(0, 200)})`);
  });
  app.use(answerError(needs.log));
  return app;
}

function byPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations)
    groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return groups;
}

function wrongMethod(asked: string, operations: readonly Operation[]): GatewayError {
  const methods = operations.map(({ method }) => method.toUpperCase());
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)).join(", ");
  return new GatewayError(
    "method_not_allowed",
    `The method ${asked} is not allowed here; use ${methods.join(" or ")}.`,
    { headers: { allow } },
  );
}
