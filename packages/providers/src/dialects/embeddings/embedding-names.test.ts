import { expect, test } from "vitest";
import { isEmbeddingName } from "./embedding-names.js";

test.each([
  "nomic-embed-text:latest",
  "Qwen/Qwen3-Embedding-0.6B",
  "embeddinggemma:300m",
  "BAAI/bge-m3",
  "intfloat/multilingual-e5-large",
  "thenlper/gte-large",
  "all-minilm:22m",
  "all-mpnet-base-v2",
])("%s embeds", (name) => {
  expect(isEmbeddingName(name)).toBe(true);
});

test.each(["llama3.2:3b", "BAAI/bge-reranker-v2-m3", "Qwen/Qwen3-8B", "mistral-7b-e500"])(
  "%s does not",
  (name) => {
    expect(isEmbeddingName(name)).toBe(false);
  },
);
