import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { errorIn, readArkError } from "./errors.js";

const message = "Something is wrong.";

/** The words of the service, their status and their meaning. */
const words: readonly (readonly [string, number, object])[] = [
  ["InputTextSensitiveContentDetected", 400, { code: "moderation_blocked", message }],
  ["OutputImageSensitiveContentDetected.PolicyViolation", 400, { code: "moderation_blocked", message }],
  ["InputImageRiskDetection", 400, { code: "moderation_blocked", message }],
  ["InvalidParameter", 400, { code: "upstream_rejected", message }],
  ["AuthenticationError", 401, { code: "upstream_auth_error" }],
  ["AccountOverdueError", 403, { code: "insufficient_quota" }],
  ["InvalidEndpointOrModel.NotFound", 404, { code: "upstream_model_missing" }],
  ["SetLimitExceeded", 429, { code: "insufficient_quota" }],
  ["RateLimitExceeded.EndpointRPMExceeded", 429, { code: "rate_limit_exceeded" }],
  ["InternalServiceError", 500, { code: "upstream_error", nothingBilled: false }],
];

test.each(words)(
  "%s with status %i is read, and means the same with status 200",
  (code, status, expected) => {
    const error = { code, message, param: "", type: "" };
    const reply = { status, headers: {}, body: JSON.stringify({ error }) };

    expect(errorFromReply(reply, readArkError)).toMatchObject({ ...expected, upstreamStatus: status });
    expect(errorIn(error)).toMatchObject({ ...expected, upstreamStatus: 200 });
  },
);

test.each([undefined, null, "text", {}, { code: "" }])("%j is no error", (error) => {
  expect(errorIn(error)).toBeUndefined();
});
