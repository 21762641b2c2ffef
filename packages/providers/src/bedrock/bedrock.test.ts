import { expect, test } from "vitest";
import { errorFromReply } from "../http/errors/upstream-errors.js";
import type { Send } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { contentOf } from "../test/content.js";
import { replyWith } from "../test/reply.js";
import { createBedrockContentEmbedding, createBedrockEmbedding } from "./embeddings.js";
import { readBedrockError } from "./errors.js";
import { createInvoke, modelIdOf } from "./invoke.js";

test.each([
  ["amazon.titan-embed-text-v2:0", "amazon.titan-embed-text-v2:0"],
  ["us.cohere.embed-v4:0", "cohere.embed-v4:0"],
  ["us-gov.amazon.titan-embed-text-v2:0", "amazon.titan-embed-text-v2:0"],
  ["global.cohere.embed-v4:0", "cohere.embed-v4:0"],
  ["arn:aws:bedrock:us-east-1::foundation-model/cohere.embed-english-v3", "cohere.embed-english-v3"],
  [
    "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.stability.stable-image-inpaint-v1:0",
    "stability.stable-image-inpaint-v1:0",
  ],
  ["arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2", "a1b2"],
])("%s is the model %s", (name, id) => {
  expect(modelIdOf(name)).toBe(id);
});

test.each([
  [
    400,
    "ValidationException",
    "Malformed input request: #/dimensions: 5 is not a valid enum value",
    { code: "upstream_rejected", param: "dimensions" },
  ],
  [
    400,
    "ValidationException",
    "Malformed input request: #/texts/3: expected maxLength: 2048, actual: 3000",
    { code: "context_length_exceeded", param: "input[3]" },
  ],
  [
    400,
    "ValidationException",
    "The provided model identifier is invalid.",
    { code: "upstream_model_missing" },
  ],
  [
    400,
    "ValidationException",
    "Invocation of model ID x with on-demand throughput isn’t supported.",
    { code: "upstream_model_missing" },
  ],
  [
    400,
    "ValidationException",
    "This request has been blocked by our content filters.",
    { code: "moderation_blocked", nothingBilled: true },
  ],
  [400, "ServiceQuotaExceededException", "quota", { code: "insufficient_quota" }],
  [
    403,
    "AccessDeniedException",
    "You don't have access to the model with the specified model ID.",
    { code: "upstream_auth_error" },
  ],
  [403, "ExpiredTokenException", "expired", { code: "upstream_auth_error" }],
  [404, "ResourceNotFoundException", "end of life", { code: "upstream_model_missing" }],
  [408, "ModelTimeoutException", "slow", { code: "upstream_timeout" }],
  [424, "ModelErrorException", "broken", { code: "upstream_error", status: 502 }],
  [429, "ThrottlingException", "slow down", { code: "rate_limit_exceeded", retryAfterMs: 1000 }],
  [429, "ModelNotReadyException", "loading", { code: "rate_limit_exceeded" }],
  [500, "InternalServerException", "sorry", { code: "upstream_error" }],
  [503, "ServiceUnavailableException", "busy", { code: "upstream_unavailable" }],
])("a reply of %i with the class %s and %j is read", (status, type, message, expected) => {
  const headers = { "x-amzn-errortype": `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/` };

  const failure = errorFromReply({ status, headers, body: JSON.stringify({ message }) }, readBedrockError);

  expect(failure).toMatchObject(expected);
  expect(String(failure.cause)).toContain(type);
});

test("a class in the body is read as well", () => {
  const body = JSON.stringify({
    __type: "com.amazon.coral.service#UnrecognizedClientException",
    Message: "m",
  });

  expect(readBedrockError({ status: 400, headers: {}, body })).toEqual({
    code: "upstream_auth_error",
    message: "m",
    word: "UnrecognizedClientException",
  });
});

/** Creates embeddings of one text at a service that replies with this. */
function embed(variant: string, reply: unknown, headers = {}) {
  const send: Send = async () => replyWith(reply, headers);
  const call = new TestCall({ facts: { variant } });
  return createBedrockEmbedding(createInvoke(send, {}))({ inputs: ["a"] }, call);
}

const titan = "titan";
const cohere = "cohere";
const nova = "nova";

test.each([
  [titan, { embedding: [0.5, -0.25], inputTextTokenCount: 3 }],
  [cohere, { embeddings: { float: [[0.5, -0.25]] }, response_type: "embeddings_by_type" }],
  [nova, { embeddings: [{ embeddingType: "TEXT", embedding: [0.5, -0.25] }] }],
])("the vector and the tokens of %s are read", async (model, reply) => {
  const { items, promptTokens } = await embed(model, reply, { "x-amzn-bedrock-input-token-count": "3" });

  expect(items.map(({ vector }) => vector.toNumbers())).toEqual([[0.5, -0.25]]);
  expect(promptTokens).toBe(3);
});

test.each([
  ["titan-image", { embedding: [0.5, -0.25], inputTextTokenCount: 0, message: null }],
  [cohere, { embeddings: { float: [[0.5, -0.25]] }, response_type: "embeddings_by_type" }],
  [nova, { embeddings: [{ embeddingType: "IMAGE", embedding: [0.5, -0.25] }] }],
])("the vector of an image is read from a reply of %s", async (variant, reply) => {
  const send: Send = async () => replyWith(reply);
  const embedImage = createBedrockContentEmbedding(createInvoke(send, {}));

  const { items, promptTokens } = await embedImage(
    { inputs: [contentOf(Buffer.from("jpeg"))] },
    new TestCall({ facts: { variant } }),
  );

  expect(items.map(({ vector }) => vector.toNumbers())).toEqual([[0.5, -0.25]]);
  expect(promptTokens).toBeUndefined();
});

test("a reply without usage reports none", async () => {
  expect((await embed(titan, { embedding: [1] })).promptTokens).toBeUndefined();
});

test.each([
  [titan, []],
  [titan, {}],
  [titan, { embedding: [] }],
  [cohere, { embeddings: { float: [{}] } }],
  [nova, { embeddings: [7] }],
])("%s with %j is not a valid reply", async (model, reply) => {
  await expect(embed(model, reply)).rejects.toMatchObject({ code: "upstream_invalid_reply" });
});

test("the vector of a text that was cut is not passed on", async () => {
  const reply = { embeddings: [{ embeddingType: "TEXT", embedding: [1], truncatedCharLength: 5 }] };

  await expect(embed(nova, reply)).rejects.toMatchObject({ code: "context_length_exceeded", inputIndex: 0 });
});

test("a model of no family is not called", async () => {
  await expect(embed("other", {})).rejects.toMatchObject({ code: "upstream_model_missing" });
});
