import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { readRecraftError } from "./recraft.js";

const failureOf = (status: number, body: object) =>
  errorFromReply({ status, headers: {}, body: JSON.stringify(body) }, readRecraftError);

test.each([
  [
    400,
    { code: "invalid_size", message: "No such size." },
    { code: "upstream_rejected", message: "No such size." },
  ],
  [
    400,
    { code: "nsfw", message: "The prompt is inappropriate." },
    { code: "upstream_rejected", message: "The prompt is inappropriate." },
  ],
  [400, { code: "not_enough_credits", message: "Not enough credits." }, { code: "insufficient_quota" }],
  [401, { code: "unauthorized", message: "Unauthorized." }, { code: "upstream_auth_error" }],
  [429, { code: "rate_limit_exceeded", message: "Slow down." }, { code: "rate_limit_exceeded" }],
  [500, { code: "internal", message: "The moderation failed." }, { code: "upstream_error" }],
])("a reply of %i with %j is read", (status, body, expected) => {
  expect(failureOf(status, body)).toMatchObject(expected);
});

test.each([
  ["request unauthorized", 401, "The upstream refused the gateway's own key."],
  ["The size is not supported.\n", 400, "The size is not supported."],
  ["<html>Bad gateway</html>", 400, "The upstream refused the request with status 400."],
])("the plain text %j with status %i is read", (body, status, message) => {
  expect(errorFromReply({ status, headers: {}, body }, readRecraftError)).toMatchObject({ message });
});
