import { fieldMapSchema } from "@model-gateway/domain/field-map";
import { expect, test } from "vitest";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { createReplicateOperations, endpointOf } from "./images.js";
import { readReplicateError } from "./replicate.js";

const version = "a".repeat(64);

test.each([
  ["owner/name", { path: "/models/owner/name/predictions" }],
  [`owner/name:${version}`, { path: "/predictions", version }],
  [version, { path: "/predictions", version }],
])("the model %s is at its endpoint", (model, endpoint) => {
  expect(endpointOf(model)).toEqual(endpoint);
});

test.each([
  [401, { title: "Unauthenticated", detail: "x" }, { code: "upstream_auth_error" }],
  [402, { title: "Insufficient credit", detail: "x" }, { code: "insufficient_quota", nothingBilled: true }],
  [404, { detail: "The requested resource could not be found." }, { code: "upstream_model_missing" }],
  [
    422,
    { title: "Invalid version", detail: "No such version" },
    { code: "upstream_rejected", message: "No such version" },
  ],
  [429, { detail: "Expected available in 1 second." }, { code: "rate_limit_exceeded", retryAfterMs: 1000 }],
  [429, {}, { code: "rate_limit_exceeded", retryAfterMs: 1000 }],
  [500, {}, { code: "upstream_error", nothingBilled: false }],
])("a reply of %i with %j is read", (status, body, expected) => {
  expect(
    errorFromReply({ status, headers: {}, body: JSON.stringify(body) }, readReplicateError),
  ).toMatchObject(expected);
});

async function outcomeOf(reply: object) {
  const operations = createReplicateOperations({
    send: async () => replyWith(reply),
    readLink: createResultLinks({ baseUrl: "https://api.replicate.com/v1", hosts: ["*.replicate.delivery"] }),
    fieldsOf: () => fieldMapSchema.parse({}),
  });
  const call = new TestCall();
  const outcome = await operations.createImage?.({ prompt: "a" }, call).catch((failure: unknown) => failure);
  return { outcome, call };
}

test.each([
  "NSFW content detected. Try running it again, or try a different prompt.",
  "The input or output was flagged as sensitive. Please try again with different inputs. (E005)",
])("a failure with the text %j is moderation", async (error) => {
  const { outcome, call } = await outcomeOf({ id: "1", status: "failed", error });

  expect(outcome).toMatchObject({ code: "moderation_blocked" });
  expect(call.isCommitted).toBe(true);
});

test("a prediction that is done when the submit returns is not polled again", async () => {
  const output = ["https://pbxt.replicate.delivery/a.png"];

  const { outcome, call } = await outcomeOf({ id: "1", status: "succeeded", output });

  expect(outcome).toMatchObject({ images: { data: [{ url: output[0] }] } });
  expect(call.waits).toEqual([]);
});

test.each([
  {},
  { id: "1" },
  { id: "1", status: "succeeded", output: null },
  { id: "1", status: "succeeded", output: [{}] },
])("a reply of %j is a service failure", async (reply) => {
  expect((await outcomeOf(reply)).outcome).toMatchObject({ code: "upstream_invalid_reply" });
});
