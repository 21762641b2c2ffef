import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { errorIn, readDashScopeError } from "./errors.js";
import { embeddingTraitsOf, imageTraitsOf, kindOf } from "./models.js";

const failureOf = (status: number, body: object) =>
  errorFromReply({ status, headers: {}, body: JSON.stringify(body) }, readDashScopeError);
const message = "Something is wrong.";

/** The words of the service, their status and their meaning. */
const words: readonly (readonly [string, number, object])[] = [
  ["DataInspectionFailed", 400, { code: "moderation_blocked", message }],
  ["IPInfringementSuspect", 400, { code: "moderation_blocked", message }],
  ["InvalidParameter", 400, { code: "upstream_rejected", message }],
  ["InvalidParameter.DataInspection", 400, { code: "upstream_rejected", message }],
  ["Arrearage", 400, { code: "insufficient_quota", nothingBilled: true }],
  ["InvalidApiKey", 401, { code: "upstream_auth_error", nothingBilled: true }],
  ["AccessDenied.Unpurchased", 403, { code: "upstream_auth_error" }],
  ["AllocationQuota.FreeTierOnly", 403, { code: "insufficient_quota" }],
  ["ModelNotFound", 404, { code: "upstream_model_missing" }],
  ["Throttling.RateQuota", 429, { code: "rate_limit_exceeded", retryAfterMs: 1000 }],
  ["InternalError.Algo", 500, { code: "upstream_error", nothingBilled: false }],
];

test.each(words)(
  "%s with status %i is read, and means the same with status 200",
  (code, status, expected) => {
    expect(failureOf(status, { code, message, request_id: "r" })).toMatchObject({
      ...expected,
      upstreamStatus: status,
    });
    expect(errorIn({ code, message, request_id: "r" })).toMatchObject({ ...expected, upstreamStatus: 200 });
  },
);

test.each([
  [400, "data_inspection_failed", "moderation_blocked"],
  [401, "invalid_api_key", "upstream_auth_error"],
  [404, "model_not_found", "upstream_model_missing"],
  [429, "limit_requests", "rate_limit_exceeded"],
])("the compatible API's %i with %s is read", (status, code, expected) => {
  const error = { message, type: code, param: null, code };

  expect(failureOf(status, { error, id: "r", request_id: "r" })).toMatchObject({ code: expected });
});

test("a text that is too long is known by its words alone", () => {
  const error = {
    message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 8192]",
    type: "InvalidParameter",
    code: "InvalidParameter",
  };

  expect(failureOf(400, { error })).toMatchObject({ code: "context_length_exceeded" });
});

test.each([undefined, null, [], {}, { code: "" }, { code: 7 }, { output: {} }])(
  "%j has no error",
  (document) => {
    expect(errorIn(document)).toBeUndefined();
  },
);

test.each([
  ["qwen-image-3.0-pro", "qwen-image-3", 3, 6],
  ["qwen-image-2.1-pro", "qwen-image-2.1-pro", 10, 6],
  ["qwen-image-2.0-2026-03-03", "qwen-image", 3, 6],
  ["qwen-image", "qwen-image-1", 1, 1],
  ["qwen-image-max-2025-12-30", "qwen-image-1", 1, 1],
  ["qwen-image-edit-max", "qwen-image-edit", 3, 6],
  ["wan2.7-image", "wan-2.7-image", 9, 4],
  ["wan2.2-t2i-flash", "wan-2.2", 1, 4],
])("%s has the profile %s", (model, name, maxImages, maxN) => {
  expect(imageTraitsOf(model)).toMatchObject({ profile: { name, maxImages, maxN } });
});

test("a model that the gateway does not know has no fields", () => {
  expect(["qwen-image-0", "wan2.6-t2v", "qwen-image-edit-plus-x"].map(kindOf)).toEqual(
    Array(3).fill(undefined),
  );
});

test.each([
  ["text-embedding-v4", { maxInputs: 10, maxTokens: 8192, dimensions: "pass" }],
  ["text-embedding-v3", { maxInputs: 10, widths: [1024, 768, 512] }],
  ["text-embedding-v2", { maxInputs: 25, maxTokens: 2048, dimensions: "emulate" }],
  ["qwen3.7-text-embedding", { maxInputs: 20, maxTokens: 128_000 }],
])("%s has its limits", (model, limits) => {
  expect(embeddingTraitsOf(model)).toMatchObject(limits);
});
