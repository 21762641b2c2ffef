import { describeEmbeddings, type EmbeddingSuite } from "../embeddings-suite.js";
import { openAiKey, startFakeOpenAi } from "./fake-openai.js";

const suite: Omit<EmbeddingSuite, "provider"> = {
  pathPrefix: "/v1",
  start: startFakeOpenAi,
  apiKey: openAiKey,
  model: { name: "text-embedding-3-small", native: 1536, short: 512 },
  maxInputs: 2048,
  // Only the upstream counts the tokens then.
  modelKeys: "    maxTokens: 100000",
  textsOf: (body) => (body as { input: string[] }).input,
  tooLong: "word ".repeat(8193).trim(),
  throttled: {
    status: 429,
    headers: { "retry-after": "37" },
    body: { error: { message: "Rate limit reached.", type: "requests", code: "rate_limit_exceeded" } },
  },
  imageModel: "gpt-image-2",
};

describeEmbeddings({ provider: "openai", ...suite });
describeEmbeddings({ provider: "openai-compatible", ...suite });
