import { type ErrorDetail, GatewayError } from "@model-gateway/domain/errors";
import { expect, test } from "vitest";
import type { BatchEndpoint } from "./batch.js";
import { judgeError } from "./retry-line.js";

const embeddings = "/v1/embeddings";
const images = "/v1/images/generations";
const unwanted = { headers: { "x-should-retry": "false" } };
const failed = { kind: "failed" };
const again = (counts: boolean, afterMs: number) => ({ kind: "again", counts, afterMs });

test.each<[string, BatchEndpoint, GatewayError["code"], ErrorDetail, object]>([
  ["a bad request", embeddings, "invalid_value", {}, failed],
  ["a budget that is used up", images, "insufficient_quota", { retryAfterMs: 1000 }, failed],
  ["a rate limit", images, "rate_limit_exceeded", { retryAfterMs: 2500 }, again(false, 2500)],
  [
    "a limit of the day, which a caller need not wait for",
    embeddings,
    "rate_limit_exceeded",
    { ...unwanted, retryAfterMs: 9_000_000 },
    again(false, 60_000),
  ],
  ["a limit that the line alone exceeds", embeddings, "rate_limit_exceeded", unwanted, failed],
  ["a full queue", embeddings, "gateway_overloaded", { retryAfterMs: 10 }, again(false, 1000)],
  ["an upstream that is down", images, "upstream_unavailable", {}, again(true, 1000)],
  [
    "an upstream's own limit",
    images,
    "rate_limit_exceeded",
    { upstreamStatus: 429, retryAfterMs: 5000 },
    again(true, 5000),
  ],
  ["an upstream that failed", embeddings, "upstream_error", {}, again(true, 1000)],
  ["a fault of the gateway", embeddings, "internal_error", {}, again(true, 1000)],
  ["an upstream that failed on an image", images, "upstream_error", {}, failed],
  ["an image that may have been bought", images, "upstream_unavailable", unwanted, failed],
  ["an outcome that is not known", images, "idempotency_outcome_unknown", {}, failed],
  ["a revoked key", embeddings, "invalid_api_key", {}, { kind: "key refused", message: "Why." }],
])("%s", (_what, endpoint, code, detail, outcome) => {
  expect(judgeError(new GatewayError(code, "Why.", detail), endpoint)).toEqual(outcome);
});
