import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { contextOf } from "./request-context.js";

/** One line a request, when it is over. Sizes and names, never a key, a prompt, a vector or a picture. */
export function logRequest(log: Logger, now: () => number): RequestHandler {
  return (request, response, next) => {
    response.once("close", () => {
      const {
        signal: _signal,
        origin: _origin,
        works: _works,
        tellsUpstream: _tells,
        key: _key,
        startedAt,
        ...known
      } = contextOf(response);
      log.info(
        {
          ...known,
          method: request.method,
          status: response.writableFinished ? response.statusCode : 499,
          ms: Math.round((now() - startedAt) * 10) / 10,
        },
        "request",
      );
    });
    next();
  };
}
