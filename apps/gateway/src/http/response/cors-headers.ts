import type { Response } from "express";
import { addHeader } from "./headers.js";

/** Adds the headers that every response has. Every origin is allowed: a key protects the responses, never a cookie. */
export function addCorsHeaders(response: Response): void {
  addHeader(response, "access-control-allow-origin", "*");
  addHeader(response, "access-control-expose-headers", exposedHeaders);
}

/** Every header in the spec that scripts could not read otherwise. */
const exposedHeaders = [
  "x-request-id",
  "retry-after",
  "retry-after-ms",
  "x-should-retry",
  "deprecation",
  "sunset",
  "link",
  "accept-ranges",
  "content-range",
  "etag",
  "location",
  "preference-applied",
  "idempotent-replayed",
  "x-gateway-attempts",
  "x-gateway-budget-remaining",
  "x-gateway-budget-reset",
  "x-gateway-cache",
  "x-gateway-content-credentials",
  "x-gateway-converted-images",
  "x-gateway-failed-images",
  "x-gateway-input-type",
  "x-gateway-model",
  "x-gateway-queue-place",
  "x-gateway-space",
  "x-gateway-upstream",
  "x-next-cursor",
  "x-ratelimit-limit-requests",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-reset-requests",
  "x-ratelimit-limit-tokens",
  "x-ratelimit-remaining-tokens",
  "x-ratelimit-reset-tokens",
  "x-ratelimit-limit-images",
  "x-ratelimit-remaining-images",
  "x-ratelimit-reset-images",
].join(", ");

/** The same for a response that is written as bytes. */
export const corsLines = `access-control-allow-origin: *\r\naccess-control-expose-headers: ${exposedHeaders}\r\n`;
