import type { Request, Response } from "express";

/**
 * Lets pages of any origin call: what protects an answer is the key, never a cookie. Whether that was all there was to
 * answer: a browser may only ask what it may do.
 */
export function allowOrigins(request: Request, response: Response): boolean {
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", exposed);
  if (request.method !== "OPTIONS" || request.get("access-control-request-method") === undefined)
    return false;
  response.setHeader("access-control-allow-methods", "GET, POST, PATCH, DELETE, OPTIONS");
  response.setHeader("access-control-allow-headers", request.get("access-control-request-headers") ?? "*");
  response.setHeader("access-control-max-age", "86400");
  response.status(204).end();
  return true;
}

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
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-remaining-tokens",
  "x-ratelimit-reset-tokens",
].join(", ");
