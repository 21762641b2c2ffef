import { expect, test } from "vitest";
import type { Send } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { contentOf } from "../test/content.js";
import { replyWith } from "../test/reply.js";
import { readCohereError } from "./cohere.js";
import { createCohereContentEmbedding, createCohereEmbedding } from "./embeddings.js";

/** Creates embeddings at an upstream that sends this reply. */
function embed(reply: unknown, encoding_format?: "base64") {
  const send: Send = async () => replyWith(reply);
  return createCohereEmbedding(send)({ inputs: ["a"], encoding_format }, new TestCall());
}

/** The form of a recorded reply: https://docs.cohere.com/v2/reference/embed */
const recorded = {
  id: "da6e531f-54c5-4a73-bf92-f60566d8d753",
  embeddings: { float: [[0.5, -0.25]] },
  texts: ["a"],
  meta: { api_version: { version: "2", is_experimental: true }, billed_units: { input_tokens: 2.5 } },
  response_type: "embeddings_by_type",
};

test("vectors are read by their type, and units that are not whole are rounded up", async () => {
  const numbers = await embed(recorded);
  const base64 = await embed({ ...recorded, embeddings: { base64: ["AAAAPwAAgL4="] } }, "base64");

  expect(numbers.items.map(({ vector }) => vector.toNumbers())).toEqual([[0.5, -0.25]]);
  expect(base64.items.map(({ vector }) => vector.toNumbers())).toEqual([[0.5, -0.25]]);
  expect(numbers.promptTokens).toBe(3);
});

/** The form of a recorded reply for an image: https://docs.cohere.com/v2/docs/multimodal-embeddings */
const recordedImage = {
  id: "d8f2b461-79a4-44ee-82e4-be601bbb07be",
  embeddings: { float: [[-0.5, 0.25]], int8: null, uint8: null, binary: null, ubinary: null },
  texts: [],
  meta: {
    api_version: { version: "2", is_deprecated: null, is_experimental: null },
    billed_units: { input_tokens: null, output_tokens: null, search_units: null, images: 1 },
    tokens: null,
    warnings: null,
  },
  images: [{ width: 1080, height: 1080, format: "jpeg", bit_depth: 24 }],
  response_type: "embeddings_by_type",
};

test("an image has a vector, and its tokens if they are billed", async () => {
  const embedImage = (reply: unknown) => {
    const send: Send = async () => replyWith(reply);
    return createCohereContentEmbedding(send)({ inputs: [contentOf(Buffer.from("jpeg"))] }, new TestCall());
  };
  const units = { images: 1, image_tokens: 1610, input_tokens: 4 };

  const version3 = await embedImage(recordedImage);
  const version4 = await embedImage({ ...recordedImage, meta: { billed_units: units } });

  expect(version3.items.map(({ vector }) => vector.toNumbers())).toEqual([[-0.5, 0.25]]);
  expect([version3.promptTokens, version3.imageTokens]).toEqual([undefined, undefined]);
  expect([version4.promptTokens, version4.imageTokens]).toEqual([1614, 1610]);
});

test.each([
  ["a list", []],
  ["a vector that is an object", { embeddings: { float: [{}] } }],
  ["a vector with text in it", { embeddings: { float: [[1, "2"]] } }],
  ["an empty vector", { embeddings: { float: [[]] } }],
  ["base64 that is cut", { embeddings: { float: ["AAAAPwAA"] } }],
])("%s is not a valid reply", async (_name, reply) => {
  await expect(embed(reply)).rejects.toMatchObject({ code: "upstream_invalid_reply" });
});

test("a reply without usage reports none", async () => {
  const { meta: _meta, ...unmetered } = recorded;

  expect((await embed(unmetered)).promptTokens).toBeUndefined();
});

test.each([
  [
    400,
    "invalid request: text at index 3 is too long",
    { code: "context_length_exceeded", param: "input[3]" },
  ],
  [400, "too many tokens in the text", { code: "context_length_exceeded", param: "input" }],
  [429, "Trial key: limited to 1000 API calls per month", { code: "insufficient_quota" }],
  [498, "blocked", { code: "content_policy_violation" }],
  [501, "not implemented", { code: "upstream_rejected" }],
  [400, "something else", {}],
])("status %d with %j", (status, message, expected) => {
  const reported = readCohereError({ status, headers: {}, body: JSON.stringify({ id: "1", message }) });

  expect(reported).toEqual({ message, ...expected });
});
