import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { readTogetherError } from "./together.js";

const failureOf = (status: number, message: string, more = {}) =>
  errorFromReply(
    {
      status,
      headers: {},
      body: JSON.stringify({ id: "1", error: { message, type: "invalid_request_error", ...more } }),
    },
    readTogetherError,
  );

test.each([
  [400, "width must be a multiple of 8", { param: "width" }, { code: "upstream_rejected", param: "size" }],
  [422, "NSFW content detected in the image", {}, { code: "moderation_blocked" }],
  [422, "The safety checker was triggered.", {}, { code: "moderation_blocked" }],
  [422, "steps must be at most 50", {}, { code: "upstream_rejected" }],
  // Neither the status nor the words are documented for moderation.
  [403, "Your request was flagged.", {}, { code: "upstream_auth_error" }],
  [
    413,
    "Input validation error: `inputs` must have less than 512 tokens. Given: 600",
    {},
    { code: "context_length_exceeded" },
  ],
  [401, "Invalid API key provided.", { code: "invalid_api_key" }, { code: "upstream_auth_error" }],
  [402, "Credit limit exceeded.", {}, { code: "insufficient_quota" }],
  [404, "Unable to access model.", { code: "model_not_available" }, { code: "upstream_model_missing" }],
  [429, "Too many requests.", {}, { code: "rate_limit_exceeded" }],
  [503, "Overloaded.", {}, { code: "upstream_unavailable" }],
  // Its words are not believed: the request was not refused for them.
  [500, "NSFW checker failed", {}, { code: "upstream_error" }],
])("a reply of %i with %j and %j is read", (status, message, more, expected) => {
  expect(failureOf(status, message, more)).toMatchObject(expected);
});
