import { fieldMapSchema } from "@model-gateway/domain/field-map";
import { expect, test } from "vitest";
import { createResultLinks } from "../dialects/jobs/result-links.js";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { readFalError } from "./fal.js";
import { createFalOperations } from "./images.js";

const violation = { loc: ["body", "prompt"], msg: "flagged", type: "content_policy_violation" };

test.each([
  [401, { detail: "Authentication is required" }, { code: "upstream_auth_error" }],
  [403, { detail: "Exhausted balance" }, { code: "upstream_auth_error" }],
  [404, { detail: "Application not found" }, { code: "upstream_model_missing" }],
  [422, { detail: [violation] }, { code: "content_policy_violation", message: "flagged", param: "prompt" }],
  [
    422,
    { detail: [{ loc: ["body", "image_size", "width"], msg: "too large", type: "less_than" }] },
    { code: "upstream_rejected", param: "size" },
  ],
  [
    422,
    { detail: [{ loc: ["body", "image_urls", 1], msg: "no image", type: "image_load_error" }] },
    { code: "upstream_rejected", param: "image[1]" },
  ],
  [429, {}, { code: "rate_limit_exceeded" }],
  [500, { detail: [violation] }, { code: "upstream_error" }],
  [504, {}, { code: "upstream_timeout" }],
])("a reply of %i with %j is read", (status, body, expected) => {
  const headers = { "x-fal-error-type": "bad_request" };

  expect(errorFromReply({ status, headers, body: JSON.stringify(body) }, readFalError)).toMatchObject(
    expected,
  );
});

const url = "https://queue.fal.run/fal-ai/flux/requests/1";
const accepted = {
  request_id: "1",
  status_url: `${url}/status`,
  response_url: url,
  cancel_url: `${url}/cancel`,
};

/** Creates an image at a queue that replies with these documents in turn, the last one again and again. */
async function outcomeOf(...replies: readonly object[]) {
  const sent: string[] = [];
  const { createImage } = createFalOperations({
    send: async ({ method = "POST", path }) => {
      const reply = replies[Math.min(sent.length, replies.length - 1)];
      sent.push(`${method} ${path}`);
      return replyWith(reply);
    },
    readLink: createResultLinks({ baseUrl: "https://queue.fal.run", hosts: ["*.fal.media"] }),
    fieldsOf: () => fieldMapSchema.parse({}),
  });
  const call = new TestCall();
  const outcome = await createImage?.({ prompt: "a" }, call).catch((failure: unknown) => failure);
  return { outcome, sent, call };
}

test("the links of the job are used as they are", async () => {
  const image = { url: "https://v3.fal.media/files/a.png" };

  const { outcome, sent, call } = await outcomeOf(
    accepted,
    { status: "IN_QUEUE" },
    { status: "IN_PROGRESS" },
    { status: "COMPLETED" },
    { image },
  );

  expect(outcome).toMatchObject({ images: { data: [image] } });
  expect(sent).toEqual(["POST /upstream-model", ...Array(3).fill(`GET ${url}/status`), `GET ${url}`]);
  expect(call.waits).toEqual([500, 750]);
});

test.each([
  [[{}]],
  [[accepted, {}]],
  [[accepted, { status: "COMPLETED" }, {}]],
  [[accepted, { status: "COMPLETED" }, { images: [{}] }]],
])("replies of %j are a service failure, and something may be billed", async (replies) => {
  const { outcome, call } = await outcomeOf(...replies);

  expect(outcome).toMatchObject({ code: "upstream_invalid_reply" });
  expect(call.isCommitted).toBe(true);
});
