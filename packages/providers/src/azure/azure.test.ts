import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { readAzureError } from "./azure.js";

test.each([
  [
    "a text that is too long, without its index",
    400,
    {
      code: null,
      message: "This model's maximum context length is 8191 tokens, however you requested 9000 tokens.",
    },
    { code: "context_length_exceeded", param: "input" },
  ],
  [
    "a filtered prompt, whose inner error has another name in live replies",
    400,
    { code: "other", message: "Filtered.", innererror: { code: "ResponsibleAIPolicyViolation" } },
    { code: "moderation_blocked" },
  ],
  [
    "a deployment for another kind of model",
    400,
    { code: "OperationNotSupported", message: "No." },
    { code: "upstream_model_missing" },
  ],
  ["throttling", 429, { code: "429", message: "Please retry after 12 seconds." }, { retryAfterMs: 12_000 }],
  [
    "a quota that is used up",
    429,
    { code: "insufficient_quota", message: "" },
    { code: "insufficient_quota" },
  ],
])("%s is read", (_name, status, error, expected) => {
  const reported = readAzureError({ status, headers: {}, body: JSON.stringify({ error }) });

  expect(reported).toMatchObject(expected);
});

test("a retry-after header counts more than the message", () => {
  const body = JSON.stringify({ error: { code: "429", message: "Please retry after 12 seconds." } });

  const reply = { status: 429, headers: { "retry-after": "3" }, body };

  expect(errorFromReply(reply, readAzureError).retryAfterMs).toBe(3000);
});
