import { IncomingMessage, ServerResponse } from "node:http";
import express, { type Express } from "express";

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
  const model = configure(express());
  const create = (): Express => {
    const app = configure(express());
    app.request = model.request;
    app.response = model.response;
    return app;
  };
  if (nodeMajor >= swiftSwapSince) return { create, classes: {} };
  return {
    create,
    classes: {
      IncomingMessage: bornWith(IncomingMessage, model.request),
      ServerResponse: bornWith(ServerResponse, model.response),
    },
  };
}

function configure(app: Express): Express {
  app.disable("x-powered-by").disable("etag");
  return app.set("query parser", "simple").set("case sensitive routing", true);
}

/** A constructor that makes what `parent` makes, with a prototype that inherits from its own. */
// biome-ignore lint/suspicious/noExplicitAny: any constructor will do; what it is given is passed on.
function bornWith<T extends new (...given: any[]) => object>(parent: T, prototype: object): T {
  function Born(this: object, ...given: unknown[]): void {
    Reflect.apply(parent as unknown as (...given: unknown[]) => void, this, given);
  }
  Born.prototype = prototype;
  return Born as unknown as T;
}
