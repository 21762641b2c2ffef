import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import express from "express";

/** Creates Express apps with the gateway's settings. All of them give requests and responses the same prototypes. */
export interface ExpressFactory {
  readonly create: () => Express;
  /** For `http.createServer`: the classes of its requests and responses. */
  readonly classes: {
    readonly IncomingMessage?: typeof IncomingMessage;
    readonly ServerResponse?: typeof ServerResponse;
  };
}

/** From this Node on, an object whose prototype was replaced is as fast as any other. */
const fastPrototypeChangeSince = 24;

/**
 * Express replaces the prototype of every request and response. Before Node 24 that makes all later work on them slow: a
 * request costs three times as much. Here the server creates them with Express's prototypes, so that Express has nothing
 * to replace.
 */
export function createExpressFactory(nodeMajor: number): ExpressFactory {
  if (nodeMajor >= fastPrototypeChangeSince) return { create: () => configure(express()), classes: {} };
  const model = configure(express());
  // Classes, not constructor functions: V8 reserves as many properties for an object as its parent class has. With
  // fewer, a response becomes a dictionary, and all work on it takes twice as long.
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  Object.setPrototypeOf(ExpressRequest.prototype, model.request);
  Object.setPrototypeOf(ExpressResponse.prototype, model.response);
  const create = (): Express => {
    const app = configure(express());
    app.request = ExpressRequest.prototype as Express["request"];
    app.response = ExpressResponse.prototype as Express["response"];
    return app;
  };
  return { create, classes: { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse } };
}

function configure(app: Express): Express {
  app.disable("x-powered-by").disable("etag");
  return app.set("query parser", "simple").set("case sensitive routing", true);
}
