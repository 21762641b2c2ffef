import type { Express } from "express";
import { GatewayError } from "../errors.js";
import { answerError } from "./answer-error.js";
import { cors } from "./cors.js";
import { logRequest } from "./log-request.js";
import { normaliseRequest } from "./normalise-request.js";
import type { Operation } from "./openapi.js";
import { type BeginOptions, beginRequest } from "./request-context.js";
import { serveDocs } from "./serve-docs.js";
import { type ServeNeeds, serveOperation } from "./serve-operation.js";

export interface ExpressNeeds extends ServeNeeds, BeginOptions {
  /** See `prototypes.ts`. */
  readonly createApp: () => Express;
}

/** The way of a request through Express, from top to bottom. */
export function createExpress(operations: readonly Operation[], needs: ExpressNeeds): Express {
  const app = needs.createApp();

  app.use(beginRequest(needs), logRequest(needs.log, needs.now), cors, normaliseRequest);
  app.use("/docs", serveDocs());
  for (const operation of operations) {
    app[operation.method](operation.path, ...serveOperation(operation, needs));
    app.all(operation.path, (request) => {
      throw wrongMethod(request.method, operation.method);
    });
  }
  app.use((request) => {
    throw new GatewayError("unknown_url", `Invalid URL (${request.method} ${request.path.slice(0, 200)})`);
  });
  app.use(answerError(needs.log));
  return app;
}

function wrongMethod(asked: string, method: Operation["method"]): GatewayError {
  return new GatewayError(
    "method_not_allowed",
    `The method ${asked} is not allowed here; use ${method.toUpperCase()}.`,
    {
      headers: { allow: method === "get" ? "GET, HEAD" : "POST" },
    },
  );
}
