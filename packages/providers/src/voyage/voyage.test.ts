import { imageInMemory } from "@model-gateway/domain/image-input";
import { BufferPool } from "@model-gateway/runtime/buffer-pool";
import { expect, test } from "vitest";
import { createContentOperation } from "../dialects/openai/create-embedding.js";
import type { OutgoingRequest, Send } from "../http/send.js";
import { TestCall } from "../test/call.js";
import { contentOf } from "../test/content.js";
import { replyWith } from "../test/reply.js";
import { contentBody, multimodalPath } from "./multimodal.js";

/** The form of a recorded reply: https://docs.voyageai.com/reference/multimodal-embeddings-api */
const recorded = {
  object: "list",
  data: [{ object: "embedding", embedding: [0.5, -0.25], index: 0 }],
  model: "voyage-multimodal-3.5",
  usage: { text_tokens: 5, image_pixels: 2_000_000, total_tokens: 3576 },
};

test("a text and an image have one vector, and their tokens are told apart", async () => {
  const sent: OutgoingRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return replyWith(recorded);
  };
  const embed = createContentOperation(send, new BufferPool(), { path: multimodalPath, bodyOf: contentBody });

  const reply = await embed(
    { inputs: [contentOf("This is a banana.", Buffer.from("jpeg"))] },
    new TestCall(),
  );

  expect(reply.items.map(({ vector }) => vector.toNumbers())).toEqual([[0.5, -0.25]]);
  expect([reply.promptTokens, reply.imageTokens]).toEqual([3576, 3571]);
  expect(sent.map(({ path }) => path)).toEqual(["/multimodalembeddings"]);
});

test("an image with more than 16 million pixels is refused before it is sent, with its input", () => {
  const large = { ...imageInMemory(Buffer.from("jpeg"), "jpeg"), width: 4001, height: 4000 };
  const content = { ...contentOf(Buffer.from("jpeg")), parts: [{ type: "image", image: large }] as const };
  const write = () => contentBody({ inputs: [contentOf("a", "b"), content] }, { model: "m" }, () => "");

  expect(write).toThrow(expect.objectContaining({ code: "invalid_image_file", inputIndex: 1 }));
});
