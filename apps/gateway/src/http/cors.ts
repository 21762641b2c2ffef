import type { Request, Response } from "express";
import { addHeader, writeHead } from "./head.js";

/**
 * Lets pages of any origin call: what protects an answer is the key, never a cookie. Whether that was all there was to
 * answer: a browser may only ask what it may do.
 */
export function allowOrigins(request: Request, response: Response): boolean {
  addHeader(response, "access-control-allow-origin", "*");
  addHeader(response, "access-control-expose-headers", exposed);
  if (request.method !== "OPTIONS" || request.get("access-control-request-method") === undefined)
    return false;
  addHeader(response, "access-control-allow-methods", "GET, POST, PATCH, DELETE, OPTIONS");
  addHeader(response, "access-control-allow-headers", request.get("access-control-request-headers") ?? "*");
  addHeader(response, "access-control-max-age", "86400");
  writeHead(response, 204);
  response.end();
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
