import { IncomingMessage, ServerResponse } from "node:http";
import type { Express } from "express";
import express from "express";

/** Express as the gateway sets it up. Every app made here gives requests and responses the same prototypes. */
export interface ExpressFactory {
  readonly create: () => Express;
  /** What a server makes its requests and responses from. */
  readonly classes: {
    readonly IncomingMessage?: typeof IncomingMessage;
    readonly ServerResponse?: typeof ServerResponse;
  };
}

/** From this version of Node on, an object whose prototype is exchanged is as fast as any other. */
const swiftSwapSince = 24;

/**
 * Express gives every request and response another prototype, and before Node 24 all that is done with them afterwards
 * is slow: a request costs three times as much. Here they are born with the prototypes that Express would give them, so
 * that it has nothing to exchange.
 */
export function createExpressFactory(nodeMajor: number): ExpressFactory {
  if (nodeMajor >= swiftSwapSince) return { create: () => configure(express()), classes: {} };
  const model = configure(express());
  // Made by a class and not by a function: V8 asks the parent of a class how many properties its objects will have. With
  // room for fewer, a response becomes a dictionary, and whatever is done with it takes twice as long.
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
