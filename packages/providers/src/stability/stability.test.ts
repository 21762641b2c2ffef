import { imageInMemory } from "@model-gateway/domain/image-input";
import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import type { OutgoingRequest } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { replyWith } from "../test/reply.js";
import { createStabilityOperations } from "./images.js";
import { readStabilityError } from "./stability.js";

const failureOf = (status: number, name: string, error: string, headers = {}) =>
  errorFromReply(
    { status, headers, body: JSON.stringify({ id: "1", name, errors: [error] }) },
    readStabilityError,
  );

test.each([
  [
    400,
    "bad_request",
    "prompt: cannot be blank",
    { code: "upstream_rejected", param: "prompt", message: "prompt: cannot be blank" },
  ],
  [400, "bad_request", "aspect_ratio: invalid", { code: "upstream_rejected", param: "size" }],
  [401, "unauthorized", "authorization: invalid key", { code: "upstream_auth_error", param: null }],
  [402, "payment_required", "no credits", { code: "insufficient_quota", nothingBilled: true }],
  [
    403,
    "content_moderation",
    "flagged",
    { code: "moderation_blocked", message: "flagged", nothingBilled: true },
  ],
  [403, "forbidden", "no access", { code: "upstream_auth_error" }],
  [413, "content_too_large", "too large", { code: "upstream_rejected" }],
  [422, "unprocessable_content", "language: not supported", { code: "upstream_rejected" }],
  [429, "rate_limit_exceeded", "slow down", { code: "rate_limit_exceeded", retryAfterMs: 60_000 }],
  [500, "internal_error", "sorry", { code: "upstream_error", nothingBilled: false }],
])("a reply of %i with the name %s is read", (status, name, error, expected) => {
  expect(failureOf(status, name, error)).toMatchObject(expected);
});

test("a retry-after header counts more than the usual minute", () => {
  expect(failureOf(429, "rate_limit_exceeded", "slow down", { "retry-after": "7" }).retryAfterMs).toBe(7000);
});

const image = imageInMemory(Buffer.from("image"), "png");

/** The operations at a service that replies with this. */
function operations(reply: object, sent: OutgoingRequest[] = []) {
  return createStabilityOperations(async (request) => {
    sent.push(request);
    return replyWith(reply);
  });
}

class CoreCall extends TestCall {
  constructor() {
    super({ model: "core", facts: { variant: "own" } });
  }
}

test.each([
  [7, "7"],
  [0, "4294967294"],
])("the seed %i and a negative prompt are fields of the form", async (seed, sentSeed) => {
  const sent: OutgoingRequest[] = [];
  const request = { prompt: "a fox", seed, negative_prompt: "rain" };

  await operations({ image: "aGk=", finish_reason: "SUCCESS", seed: 7 }, sent).createImage?.(
    request,
    new CoreCall(),
  );

  const chunks: Buffer[] = [];
  const body = sent[0]?.body;
  if (typeof body !== "function") throw new Error("Not a form.");
  for await (const chunk of body()) chunks.push(chunk);
  const form = Buffer.concat(chunks).toString();
  expect(form).toContain(`name="seed"\r\n\r\n${sentSeed}\r\n`);
  expect(form).toContain('name="negative_prompt"\r\n\r\nrain\r\n');
});

test("a blurred image may be billed, and is never passed on", async () => {
  const call = new CoreCall();
  const reply = { image: "Ymx1cg==", finish_reason: "CONTENT_FILTERED", seed: 1 };

  const filtered = operations(reply).createImage?.({ prompt: "a" }, call);

  await expect(filtered).rejects.toMatchObject({ code: "moderation_blocked" });
  expect(call.isCommitted).toBe(true);
});

test.each([{}, { image: "aGk=" }, { finish_reason: "SUCCESS" }, { image: "aGk=", finish_reason: "NEW" }])(
  "a reply of %j is a service failure",
  async (reply) => {
    await expect(operations(reply).createImage?.({ prompt: "a" }, new CoreCall())).rejects.toMatchObject({
      code: "upstream_invalid_reply",
    });
  },
);

test("an image whose header cannot be read is refused before it is sent", async () => {
  const sent: OutgoingRequest[] = [];
  const call = new TestCall({ facts: { variant: "inpaint" } });

  const edit = operations({}, sent).createImageEdit?.({ prompt: "a", images: [image] }, call);

  await expect(edit).rejects.toMatchObject({ code: "invalid_image_file", param: "image" });
  expect(sent).toEqual([]);
});
