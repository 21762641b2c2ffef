import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { readIdeogramError } from "./ideogram.js";

const failureOf = (status: number, body: object) =>
  errorFromReply({ status, headers: {}, body: JSON.stringify(body) }, readIdeogramError);

test.each([
  [
    422,
    { error: "Prompt or provided image failed the safety checks" },
    { code: "moderation_blocked", message: "Prompt or provided image failed the safety checks" },
  ],
  [422, {}, { code: "moderation_blocked", message: "The upstream refused the content." }],
  [422, { error: "bad", param: "resolution" }, { code: "upstream_rejected", param: "size" }],
  [400, { code: "BAD", message: "No." }, { code: "upstream_rejected", message: "No." }],
  [422, { detail: [{ loc: ["body", "seed"], msg: "too large" }] }, { message: "too large" }],
  [400, { error: "bad", param: "resolution" }, { code: "upstream_rejected", param: "size" }],
  [401, { error: "Unauthorized" }, { code: "upstream_auth_error" }],
  [402, {}, { code: "insufficient_quota" }],
  [429, { error: "Too many requests in flight" }, { code: "rate_limit_exceeded" }],
  [503, {}, { code: "upstream_unavailable" }],
])("a reply of %i with %j is read", (status, body, expected) => {
  expect(failureOf(status, body)).toMatchObject(expected);
});
