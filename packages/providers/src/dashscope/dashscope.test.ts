import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { errorIn, readDashScopeError } from "./errors.js";

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
