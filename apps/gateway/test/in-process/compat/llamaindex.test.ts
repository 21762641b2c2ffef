import { OpenAIEmbedding } from "@llamaindex/openai";
import { expect, test } from "vitest";
import { vectorOf } from "../../fake-upstream/vectors.mjs";
import { testKey } from "../../gateway/test-gateway.js";
import { compatGateway } from "./compat-gateway.js";

const gateway = compatGateway();

test("LlamaIndex's OpenAIEmbedding embeds one text and many, with only its base URL changed", async () => {
  const embedding = new OpenAIEmbedding({
    model: "m",
    apiKey: testKey,
    baseURL: `${gateway.url}/v1`,
    maxRetries: 0,
  });
  const texts = Array.from({ length: 25 }, (_, index) => `text ${index}`);

  const one = await embedding.getTextEmbedding("a question");
  const many = await embedding.getTextEmbeddings(texts);

  expect(one).toEqual(vectorOf("a question", 16));
  expect(many).toEqual(texts.map((text) => vectorOf(text, 16)));
});
