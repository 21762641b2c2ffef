import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { errorIn, readArkError } from "./errors.js";
import { kindOf } from "./models.js";

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

test.each([
  ["doubao-seedream-4-0-250828", "seedream-4.0"],
  ["seedream-4-5-251128", "seedream-4.5"],
  ["doubao-seedream-5-0-260128", "seedream-5.0"],
  ["doubao-seedream-5-0-lite-260128", "seedream-5.0"],
  ["doubao-seedream-5-0-flash-260915", "seedream-5.0-pro"],
  ["seedream-5-5-261028", "seedream-5.0-pro"],
  ["ep-1", "seedream-4.5"],
])("%s has the profile %s", (model, name) => {
  const settings = { endpoints: { "ep-1": "seedream-4-5-251128" } };

  expect(kindOf(model, settings)?.profile.name).toBe(name);
});

test("other models and endpoints are not known", () => {
  expect(
    ["ep-2", "doubao-seedance-2-0-260128", "toString"].map((model) => kindOf(model, { endpoints: {} })),
  ).toEqual(Array(3).fill(undefined));
  // Settings that are not checked yet.
  expect(kindOf("ep-2", { endpoints: 7 })).toBeUndefined();
});
