import type { RequestHandler } from "express";

/** Lets pages of any origin call: what protects an answer is the key, never a cookie. */
export const cors: RequestHandler = (request, response, next) => {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", exposed);
  if (request.method !== "OPTIONS" || request.get("access-control-request-method") === undefined) {
    next();
    return;
  }
  response.setHeader("access-control-allow-methods", "GET, POST, PATCH, DELETE, OPTIONS");
  response.setHeader("access-control-allow-headers", request.get("access-control-request-headers") ?? "*");
  response.setHeader("access-control-max-age", "86400");
  response.status(204).end();
};

const exposed = [
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "deprecation",
  "link",
  "accept-ranges",
  "content-range",
  "idempotent-replayed",
  "x-gateway-attempts",
  "x-gateway-cache",
  "x-gateway-failed-images",
  "x-gateway-upstream",
  "x-next-cursor",
].join(", ");
