import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { traitsOf } from "./models.js";
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

test.each([
  ["recraftv4_1", { edits: true, mask: false, maxPromptLength: 10_000, outputFormats: ["png"] }],
  ["recraftv4_1_flash", { edits: false }],
  ["recraftv4_1_utility_pro", { name: "recraft-4-pro", edits: true }],
  ["recraftv4_1_vector", { edits: false, outputFormats: ["svg"] }],
  ["recraftv3", { edits: true, mask: true, maxPromptLength: 1000 }],
  ["recraftv2_vector", { outputFormats: ["svg"] }],
])("%s has the profile %j", (model, profile) => {
  expect(traitsOf(model)).toMatchObject({ profile });
});

test("a pro model has sides of twice the length", () => {
  expect(traitsOf("recraftv4_pro")).toMatchObject({
    profile: { sizes: expect.arrayContaining(["2048x2048", "3072x1536", "1536x2688"]) },
  });
});
